// Puts the live door to the running node together. Everything outside this folder gets it as a `System`.
import { opendir } from 'node:fs/promises';
import { fill } from '../lib/fill.ts';
import { askLoopback } from './network/ask-loopback.ts';
import { askSocket } from './network/ask-socket.ts';
import { diskSpace } from './files/disk-space.ts';
import { memoryTotals } from './processes/memory-totals.ts';
import { openBelow } from './files/open-file.ts';
import { processList } from './processes/process-list.ts';
import { refusalOf } from './files/refusal.ts';
import { resolveBelow } from './files/resolve-below.ts';
import type { System } from './system.ts';
import { toolOutput } from './processes/tool-output.ts';
import { unitStates } from './processes/unit-states.ts';
import { entryAt } from './files/walk-folder.ts';

const FILE_MAX_BYTES = 256 * 1024;
const NAMES_MAX = 1_000;
/** Longer than any probe waits: its signal ends the program. */
const TOOL_TIME_LIMIT_MS = 10_000;
/** Where a configuration file may lie after its links were followed. */
const FOLDERS = ['/etc', '/opt', '/proc', '/run', '/snap', '/usr', '/var'];

/** `root`: the prefix of the running node's files (a container's view of it), null for the machine itself. */
export function createSystem({ root }: { readonly root: string | null }): System {
  const prefix = root ?? '';
  return {
    kindOf: (path) =>
      unlessMissing(path, null, async () => (await entryAt(prefix + (await resolveBelow(prefix, path)), path)).kind),
    readSmall: (path, encoding = 'utf8') => unlessMissing(path, null, () => readSmall(prefix, path, encoding)),
    listFolder: (path) => unlessMissing<readonly string[]>(path, [], () => listFolder(prefix, path)),
    space: (path, signal) => diskSpace(prefix + path, signal),
    memory: memoryTotals,
    processes: processList,
    units: unitStates,
    async askSocket(path, hello, signal) {
      const place = await unlessMissing(path, null, () => resolveBelow(prefix, path));
      return place === null ? 'missing' : askSocket(prefix + place, hello, signal);
    },
    askLoopback,
    runTool: (name, args, signal) => toolOutput({ name, args, timeLimitMs: TOOL_TIME_LIMIT_MS, signal }),
  };
}

async function unlessMissing<T>(path: string, instead: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const refusal = refusalOf(error, path);
    if (refusal.code === 'missing') return instead;
    throw refusal;
  }
}

async function readSmall(prefix: string, path: string, encoding: 'utf8' | 'latin1'): Promise<string> {
  const file = await openBelow(prefix, path, FOLDERS);
  try {
    const into = Buffer.alloc(FILE_MAX_BYTES);
    return into.toString(encoding, 0, await fill(into, (rest) => file.read(rest)));
  } finally {
    await file.close();
  }
}

async function listFolder(prefix: string, path: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(prefix + (await resolveBelow(prefix, path)))) {
    names.push(name);
    if (names.length >= NAMES_MAX) break;
  }
  return names.sort();
}
