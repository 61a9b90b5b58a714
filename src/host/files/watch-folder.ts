// Tells which names come and go in a folder. Does not look into files and does not watch the folders below it.
import { watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { type FolderWatch, HostError } from '../host.ts';
import { refusalOf } from './refusal.ts';
import { resolveBelow } from './resolve-below.ts';

/** What inotify answers when its instances, watches or descriptors are used up (inotify_add_watch(2)). */
const USED_UP = new Set(['EMFILE', 'ENFILE', 'ENOSPC']);

/** `onName` also gets the folder's own name when it is moved or removed; it is not called again then. @throws HostError */
export async function watchFolder(
  root: string,
  path: string,
  onName: (name: string | null) => void,
): Promise<FolderWatch> {
  const inside = await resolveBelow(root, path);
  try {
    const stats = await lstat(root + inside, { bigint: true });
    if (!stats.isDirectory()) throw new HostError('missing', path);
    // Each write to a file in the folder is a `change`: there are many, and they say nothing of names.
    const watcher = watch(root + inside, (event, name) => event === 'rename' && onName(name));
    watcher.on('error', () => onName(null));
    return { identity: `${stats.dev}:${stats.ino}`, close: () => watcher.close() };
  } catch (error) {
    throw watchRefusal(error, path);
  }
}

export function watchRefusal(error: unknown, path: string): HostError {
  return USED_UP.has((error as NodeJS.ErrnoException).code ?? '')
    ? new HostError('watch-limit', path, { cause: error })
    : refusalOf(error, path);
}
