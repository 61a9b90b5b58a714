// Runs one program with a time limit, a fixed environment and no shell; its standard output is pulled, so that a slow
// reader slows the program and costs no memory.
import type { ChildProcessByStdio } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import type { Readable } from 'node:stream';
import { type Child, type ChildEnd, type ChildRequest, HostError } from '../host.ts';
import { pullStream } from '../files/pull-stream.ts';

export const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];
const ENVIRONMENT = { LC_ALL: 'C', SYSTEMD_COLORS: '0', SYSTEMD_PAGER: '', PATH: PROGRAM_FOLDERS.join(':') };
const STDERR_MAX_BYTES = 8 * 1024;
/** How long a killed child may take to die before it is left behind. */
const DEATH_LIMIT_MS = 1_000;

export function findCommand(name: string, folders: readonly string[] = PROGRAM_FOLDERS): string | null {
  if (name.startsWith('/')) return isExecutable(name) ? name : null;
  return folders.map((folder) => `${folder}/${name}`).find(isExecutable) ?? null;
}

/** @throws HostError `command-missing` */
export function runChild(request: ChildRequest): Child {
  const command = findCommand(request.command);
  if (command === null) throw new HostError('command-missing', request.command);
  // Loaded where a child is wanted: it takes 4 ms, and a run over a saved capture wants none.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(command, request.args, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'], shell: false });
  const output = pullStream(child.stdout, command);
  const stderr = keepStart(child.stderr);
  let endedBy: ChildEnd['endedBy'] = null;
  const { promise: ended, resolve } = Promise.withResolvers<ChildEnd>();

  const settle = (exitCode: number | null): void => {
    if (limit !== null) clearTimeout(limit);
    request.signal?.removeEventListener('abort', abort);
    resolve({ exitCode, endedBy, stderr: stderr() });
  };
  const stop = (by: NonNullable<ChildEnd['endedBy']>): void => {
    if (endedBy !== null || child.exitCode !== null || child.signalCode !== null) return;
    endedBy = by;
    child.kill('SIGKILL');
    setTimeout(() => abandon(child), DEATH_LIMIT_MS).unref();
    setTimeout(() => settle(null), DEATH_LIMIT_MS).unref();
  };
  const abort = (): void => stop('abort');
  const limit = request.timeLimitMs === null ? null : setTimeout(() => stop('time-limit'), request.timeLimitMs);
  child.on('error', () => settle(null));
  child.on('close', (exitCode) => settle(exitCode));
  request.signal?.addEventListener('abort', abort, { once: true });
  if (request.signal?.aborted === true) abort();

  return {
    ended,
    read: (into) => output.read(into),
    nudge: () => void child.kill('SIGWINCH'),
    async close() {
      stop('closed');
      await output.close();
      await ended;
    },
  };
}

type Running = ChildProcessByStdio<null, Readable, Readable>;

/** A child in an uninterruptible wait does not die: its pipes are closed and nobody waits for it. */
function abandon(child: Running): void {
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
}

function keepStart(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    if (bytes < STDERR_MAX_BYTES) chunks.push(chunk.subarray(0, STDERR_MAX_BYTES - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
