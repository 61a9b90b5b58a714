// Finds out what the paths that a user gave hold, and makes inputs of it in the order in which they should be read. One thing
// that cannot be read is a note and never hides the others.
import { basename, dirname, resolve } from 'node:path';
import { HostError } from '../../host/host.ts';
import { findInFolder } from './folder.ts';
import type { Collected, CollectOptions } from '../input.ts';
import { newRun, type Run } from './collection.ts';
import { Sorter } from './sort-candidates.ts';
import { stdinCandidate } from './stdin.ts';

const STDIN = new Set(['-', '/dev/stdin']);
/** What a shell puts for `<(command)`: a pipe that is open already. */
const OPEN_PIPE = /^\/(?:dev|proc\/self)\/fd\/\d+$/;

/** `-` is standard input. Opens nothing that could block. @throws the signal's reason; whatever was unpacked is gone then */
export async function collectInputs(paths: readonly string[], options: CollectOptions): Promise<Collected> {
  const run = newRun(options, await affordableBytes(options));
  const sorter = new Sorter(run);
  try {
    // Standard input can be read once only.
    const given = paths.filter((path, at) => !STDIN.has(path) || paths.findIndex((other) => STDIN.has(other)) === at);
    for (const path of given) await take(run, sorter, path, given.length === 1);
  } catch (error) {
    await run.cleanup();
    throw error;
  }
  return { inputs: sorter.inputs(), notChecked: run.notes.list(), cleanup: () => run.cleanup() };
}

/** Half of what is free where archives are unpacked: that may be memory, and is not ours alone. */
async function affordableBytes({ host }: CollectOptions): Promise<number> {
  const free = await host.freeBytes();
  return free === null ? Infinity : Math.floor(free / 2);
}

async function take(run: Run, sorter: Sorter, given: string, isOnly: boolean): Promise<void> {
  run.signal?.throwIfAborted();
  try {
    if (STDIN.has(given)) {
      await sorter.take(await stdinCandidate(run));
      return;
    }
    if (given === '') throw new HostError('missing', given);
    if (OPEN_PIPE.test(given)) throw new HostError('fifo', given);
    await takePath(run, sorter, given, isOnly);
  } catch (error) {
    run.notes.refusal(null, given === '' ? "''" : given, error);
  }
}

async function takePath(run: Run, sorter: Sorter, given: string, isOnly: boolean): Promise<void> {
  const { host } = run;
  // The user named it, so its links are followed; nothing that is found inside is.
  const file = await host.realPath(resolve(given));
  const { kind, sizeBytes, mtimeMs } = await host.kindOf(file);
  if (kind === 'directory') {
    const before = sorter.size;
    const prefix = isOnly ? '' : `${given.replace(/\/+$/, '')}/`;
    for (const candidate of await findInFolder(run, { folder: file, given, prefix })) await sorter.take(candidate);
    if (sorter.size === before) run.notes.add(null, { what: given, code: 'no-logs', detail: '' });
    return;
  }
  if (kind !== 'file') throw new HostError(kind, given);
  await host.refusePseudo(dirname(file));
  const open = (): ReturnType<typeof host.openFile> => host.openFile(file);
  await sorter.take({
    name: isOnly ? basename(given) : given,
    path: resolve(given),
    owner: null,
    file,
    sizeBytes,
    mtimeMs,
    depth: 0,
    open,
    glance: open,
  });
}
