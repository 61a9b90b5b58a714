// Opens a log file so that nothing which stands in its place can block, be followed, or be set off by the opening.
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { HostError, type OpenFile } from '../host.ts';
import { refuseStuckMount } from './mount-guard.ts';
import { kindOfStats, refusalOf } from './refusal.ts';
import { liesIn, resolveBelow } from './resolve-below.ts';

const { O_RDONLY } = constants;
/** Absent on Windows, where neither FIFOs nor devices stand in folders. */
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const BLOCK_BYTES = 512;

interface Opened {
  readonly handle: FileHandle;
  readonly path: string;
  readonly stats: Stats;
}

/**
 * The kind is asked before the opening, since opening some devices does something (a tape rewinds, a watchdog starts), and
 * after it, since the file may have been exchanged meanwhile.
 * @throws HostError
 */
export async function openFile(path: string): Promise<OpenFile> {
  return pulled(await openHandle(path));
}

async function openHandle(path: string): Promise<Opened> {
  let handle: FileHandle | null = null;
  try {
    await refuseStuckMount(path);
    refuseUnlessFile(kindOfStats(await lstat(path)), path);
    handle = await open(path, O_RDONLY | SAFELY);
    const stats = await handle.stat();
    refuseUnlessFile(kindOfStats(stats), path);
    return { handle, path, stats };
  } catch (error) {
    await handle?.close();
    throw refusalOf(error, path);
  }
}

/**
 * Opens a path below a root after following its links inside the root, and refuses it unless it ends in one of the folders.
 * A folder on the way may be exchanged for a link between the two steps: the kernel's own name of the open file tells.
 * @throws HostError
 */
export async function openBelow(root: string, path: string, folders: readonly string[]): Promise<OpenFile> {
  const inside = await resolveBelow(root, path);
  if (!liesIn(inside, folders)) throw new HostError('symlink-outside', inside);
  const file = await openHandle(root + inside);
  const real = await kernelsNameOf(file.handle);
  if (
    real !== null &&
    !liesIn(
      real,
      folders.map((folder) => root + folder),
    )
  ) {
    await file.handle.close();
    throw new HostError('symlink-outside', real);
  }
  return pulled(file);
}

/** Null on systems without /proc. */
async function kernelsNameOf(handle: FileHandle): Promise<string | null> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return null;
  }
}

function refuseUnlessFile(kind: ReturnType<typeof kindOfStats>, path: string): void {
  if (kind !== 'file') throw new HostError(kind, path);
}

function pulled({ handle, path, stats }: Opened): OpenFile {
  let position = 0;
  const readAt = async (into: Buffer, at: number): Promise<number> => {
    try {
      return (await handle.read(into, 0, into.length, at)).bytesRead;
    } catch (error) {
      throw refusalOf(error, path);
    }
  };
  return {
    fd: handle.fd,
    sizeBytes: stats.size,
    allocatedBytes: stats.blocks === undefined ? stats.size : stats.blocks * BLOCK_BYTES,
    mtimeMs: stats.mtimeMs,
    mode: stats.mode,
    readAt,
    async read(into) {
      // A log that is being written is read as long as it was when it was opened; files of /proc say they have no size.
      const room = stats.size > 0 ? Math.min(into.length, stats.size - position) : into.length;
      const bytes = room > 0 ? await readAt(into.subarray(0, room), position) : 0;
      position += bytes;
      return bytes;
    },
    close: () => handle.close(),
  };
}
