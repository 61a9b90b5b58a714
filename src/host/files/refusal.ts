// Turns the system's error codes and file types into the reasons that the door refuses with.
import type { Stats } from 'node:fs';
import { type EntryKind, HostError, type RefusalCode } from '../host.ts';

const CODES: Readonly<Record<string, RefusalCode>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'unreadable',
  EPERM: 'unreadable',
  ELOOP: 'symlink',
  EISDIR: 'directory',
  // What opening a socket by name gives.
  ENXIO: 'socket',
};

export function refusalOf(error: unknown, path: string): HostError {
  if (error instanceof HostError) return error;
  const errno = (error as NodeJS.ErrnoException).code ?? 'unknown';
  const code = CODES[errno] ?? 'read-failed';
  return new HostError(code, code === 'read-failed' ? `${path} (${errno})` : path, { cause: error });
}

export function kindOfStats(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'fifo';
  return stats.isSocket() ? 'socket' : 'device';
}
