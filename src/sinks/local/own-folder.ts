// Opens a folder that belongs to the tool, so that nobody can have put another one in its place: every name in it is looked
// up in the folder that was opened and judged, not by its path again. Folders are 0700, files 0600.
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { DeliveryError, deliveryErrorOf } from '../codes.ts';
import { isAlive, ownToken } from './owner.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const MODE_BITS = 0o7777;
const WRITABLE_BY_OTHERS = 0o022;
/** More names than the tool ever makes are not looked at. */
const NAMES_MAX = 4_096;

export interface OwnFolder {
  /** As it is told to people. */
  readonly path: string;
  /** Path of an entry, good as long as the folder is open. */
  at(name: string): string;
  /** Names in no order. */
  list(): Promise<string[]>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Makes the folder if it is missing, but not the one above it. @throws DeliveryError */
export async function openOwnFolder(path: string, place: string = path): Promise<OwnFolder> {
  try {
    await mkdir(path, { mode: FOLDER_MODE }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return await openExistingFolder(path, place);
  } catch (error) {
    throw deliveryErrorOf(error, place);
  }
}

/** @throws DeliveryError `place-missing` if it is not there */
export async function openExistingFolder(path: string, place: string = path): Promise<OwnFolder> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    await refuseForeign(handle, place);
    return opened(handle, path, place);
  } catch (error) {
    await handle?.close();
    const errno = (error as NodeJS.ErrnoException).code;
    if (errno !== 'ENOTDIR' && errno !== 'ELOOP') throw deliveryErrorOf(error, place);
    const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
    throw new DeliveryError(isLink ? 'folder-symlink' : 'no-folder', place, { cause: error });
  }
}

async function refuseForeign(handle: FileHandle, place: string): Promise<void> {
  const { uid, mode } = await handle.stat();
  const user = process.geteuid?.() ?? uid;
  if (uid !== 0 && uid !== user) throw new DeliveryError('folder-foreign', place);
  if ((mode & WRITABLE_BY_OTHERS) !== 0) throw new DeliveryError('folder-writable', place);
  // systemd makes state folders 0755 unless it is told otherwise.
  if ((mode & MODE_BITS) !== FOLDER_MODE && (user === 0 || uid === user)) await handle.chmod(FOLDER_MODE);
}

function opened(handle: FileHandle, path: string, place: string): OwnFolder {
  const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  return {
    path: place,
    at: (name) => `${base}/${name}`,
    list: async () => (await readdir(`${base}/`)).slice(0, NAMES_MAX),
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** The folder is closed whatever happens. @throws DeliveryError */
export async function inFolder<T>(folder: OwnFolder, work: (folder: OwnFolder) => Promise<T>): Promise<T> {
  try {
    return await work(folder);
  } catch (error) {
    throw deliveryErrorOf(error, folder.path);
  } finally {
    await folder.close();
  }
}

const TEMPORARY = /^\.new-(?<owner>[\da-f-]+)\.\d+$/;
let made = 0;

/** Puts a file in its place whole; what stood there is replaced. Still open afterwards, so that it can be synced. */
export async function placeFile(folder: OwnFolder, name: string, content: string | Uint8Array): Promise<FileHandle> {
  const temporary = folder.at(`.new-${ownToken()}.${made++}`);
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, FILE_MODE);
  try {
    await file.writeFile(content);
    await rename(temporary, folder.at(name));
    return file;
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what processes that are gone had only begun to write. */
export async function sweep(folder: OwnFolder, names: readonly string[]): Promise<void> {
  const left = names.filter((name) => !isAlive(TEMPORARY.exec(name)?.groups?.['owner'] ?? ownToken()));
  await Promise.all(left.map((name) => rm(folder.at(name), { force: true })));
}

/** Reads the last `limitBytes` of a regular file of ours, null if it is not there. `whole`: the file is no longer than that. */
export async function readOwnFile(
  folder: OwnFolder,
  name: string,
  limitBytes: number,
): Promise<{ readonly text: string; readonly whole: boolean } | null> {
  let file: FileHandle | null = null;
  try {
    file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { size } = await ownStats(file, `${folder.path}/${name}`);
    const bytes = Buffer.alloc(Math.min(size, limitBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.toString('utf8', 0, bytesRead), whole: size <= limitBytes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw deliveryErrorOf(error, `${folder.path}/${name}`);
  } finally {
    await file?.close();
  }
}

/** @throws DeliveryError `file-foreign` unless it is a regular file of root or of this user */
export async function ownStats(
  file: FileHandle,
  place: string,
): Promise<{ readonly size: number; readonly ino: number }> {
  const stats = await file.stat();
  const user = process.geteuid?.() ?? stats.uid;
  if (!stats.isFile() || (stats.uid !== 0 && stats.uid !== user)) throw new DeliveryError('file-foreign', place);
  return stats;
}
