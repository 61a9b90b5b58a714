// Reads the operator's pattern files from their folder, and refuses what somebody else than its owner could have written.
// Knows nothing of what is in the files.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';

export const OPERATOR_FOLDER = '/etc/eks-bootstrap-analyzer/patterns.d';
export const OPERATOR_UID = 0;
const FILE_MAX_BYTES = 256 * 1024;
const FILES_MAX = 500;
const WRITABLE_BY_OTHERS = 0o022;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

export interface OperatorFile {
  readonly name: string;
  readonly text: string;
}

export interface OperatorFolder {
  /** Sorted by name. */
  readonly files: readonly OperatorFile[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
}

/** A folder that is not there has no files. `ownerUid` null: owner and permissions do not matter. */
export function readOperatorFolder(folder: string, ownerUid: number | null): OperatorFolder {
  let names: string[];
  try {
    const fault = inspect(folder, O_DIRECTORY, (stats) => distrust(stats, ownerUid)).result;
    if (fault !== null) return { files: [], refused: [{ path: folder, why: fault }] };
    names = readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? { files: [], refused: [] }
      : { files: [], refused: [{ path: folder, why: wordError(error) }] };
  }
  const read = names.slice(0, FILES_MAX).map((name) => ({ name, ...readFile(join(folder, name), ownerUid) }));
  const over = names
    .slice(FILES_MAX)
    .map((name) => ({ path: join(folder, name), why: `the folder holds more than ${FILES_MAX} files` }));
  return {
    files: read.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }])),
    refused: [...read.flatMap(({ name, why }) => (why === null ? [] : [{ path: join(folder, name), why }])), ...over],
  };
}

function readFile(
  path: string,
  ownerUid: number | null,
): { readonly text: string | null; readonly why: string | null } {
  try {
    const { result } = inspect(path, 0, (stats, descriptor) => {
      const why = stats.isFile() ? distrust(stats, ownerUid) : 'it is not a regular file';
      return why === null ? { text: readAtMost(descriptor, FILE_MAX_BYTES + 1), why } : { text: null, why };
    });
    if (result.text === null || result.text.length <= FILE_MAX_BYTES)
      return { text: result.text?.toString('utf8') ?? null, why: result.why };
    return { text: null, why: 'it is larger than 256 KiB' };
  } catch (error) {
    return { text: null, why: wordError(error) };
  }
}

/** Opens without following a link or waiting for a pipe, so that what is judged is what is read. */
function inspect<T>(
  path: string,
  flags: number,
  look: (stats: Stats, descriptor: number) => T,
): { readonly result: T } {
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags);
  try {
    return { result: look(fstatSync(descriptor), descriptor) };
  } finally {
    closeSync(descriptor);
  }
}

function readAtMost(descriptor: number, bytes: number): Buffer {
  const into = Buffer.alloc(bytes);
  let length = 0;
  for (let got = -1; got !== 0 && length < bytes; length += got)
    got = readSync(descriptor, into, length, bytes - length, null);
  return into.subarray(0, length);
}

function distrust(stats: Stats, ownerUid: number | null): string | null {
  if (ownerUid === null) return null;
  if (stats.uid !== ownerUid)
    return `it belongs to user ${stats.uid}, not to ${ownerUid === 0 ? 'root' : `user ${ownerUid}`}`;
  return (stats.mode & WRITABLE_BY_OTHERS) === 0 ? null : 'group or others may write to it (chmod go-w)';
}

function wordError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' || code === 'ENOTDIR'
    ? 'it is a symbolic link or not a folder'
    : `it cannot be read (${code ?? String(error)})`;
}
