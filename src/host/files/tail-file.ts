// Opens a log file to be followed: its state, its bytes, a watch on it, and its new lines by the package `tail`. Does not
// decide what was lost or where to go on: that is the follower's.
import { fstat, type FSWatcher, watch } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Tail } from 'tail';
import { type FileState, type FollowedFile, type LineTail, type OpenFile } from '../host.ts';
import { refuseStuckMount } from './mount-guard.ts';
import { openBelow } from './open-file.ts';
import { refusalOf } from './refusal.ts';
import { watchRefusal } from './watch-folder.ts';

/** What the package reads by one call of the kernel. */
const WAITING_MAX_BYTES = 64 * 1024;
/** The package opens the file anew for each read and cannot be asked to stop; its number must not mean another file meanwhile. */
const LAST_READ_MS = 100;
const BLOCK_BYTES = 512;

const fstatOf = promisify(fstat);

/** @throws HostError */
export async function followFile(root: string, path: string, folders: readonly string[]): Promise<FollowedFile> {
  const file = await openBelow(root, path, folders);
  try {
    const place = await readlink(ownName(file.fd!));
    return new TailedFile(file, path, place, await identityOf(file.fd!));
  } catch (error) {
    await file.close();
    throw refusalOf(error, path);
  }
}

async function identityOf(fd: number): Promise<string> {
  // Inodes may be greater than 2^53.
  const { dev, ino } = await fstatOf(fd, { bigint: true });
  return `${dev}:${ino}`;
}

class TailedFile implements FollowedFile {
  readonly identity: string;
  readonly #file: OpenFile;
  readonly #path: string;
  /** Where it lay when it was opened. */
  readonly #place: string;
  #watcher: FSWatcher | null = null;
  #tail: DescriptorTail | null = null;

  constructor(file: OpenFile, path: string, place: string, identity: string) {
    this.#file = file;
    this.#path = path;
    this.#place = place;
    this.identity = identity;
  }

  async state(): Promise<FileState> {
    try {
      await refuseStuckMount(this.#place);
      const { size, blocks, mtimeMs } = await fstatOf(this.#file.fd!);
      return { sizeBytes: size, allocatedBytes: blocks * BLOCK_BYTES, mtimeMs };
    } catch (error) {
      throw refusalOf(error, this.#path);
    }
  }

  readAt(into: Buffer, position: number): Promise<number> {
    return this.#file.readAt(into, position);
  }

  watch(onChange: (wasMoved: boolean) => void): void {
    try {
      this.#watcher ??= watch(ownName(this.#file.fd!), (event) => onChange(event === 'rename')).on('error', () =>
        onChange(false),
      );
    } catch (error) {
      throw watchRefusal(error, this.#path);
    }
  }

  tail(onLine: (line: string) => void, onEnd: () => void): LineTail {
    try {
      this.#tail = new DescriptorTail(ownName(this.#file.fd!), onLine, onEnd);
      return this.#tail;
    } catch (error) {
      throw watchRefusal(error, this.#path);
    }
  }

  async close(): Promise<void> {
    this.#watcher?.close();
    this.#tail?.stop();
    if (this.#tail?.wasReading === true) await sleep(LAST_READ_MS);
    await this.#file.close();
  }
}

/** Leads to an open file also after it was renamed or removed. */
function ownName(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

/** The package, made to give up where it would skip bytes or keep them without limit (its version 2.2.6). */
class CautiousTail extends Tail {
  override change(): void {
    const size = this.latestPosition();
    const waitsFrom = this.queue[0]?.start ?? this.currentCursorPos;
    if (size < this.currentCursorPos) this.emit('error', 'smaller');
    else if (size - waitsFrom + this.buffer.length > WAITING_MAX_BYTES) this.emit('error', 'too much at once');
    else super.change();
  }
}

class DescriptorTail implements LineTail {
  readonly startBytes: number;
  readonly #tail: CautiousTail;
  readonly #onEnd: () => void;
  #isOver = false;
  /** True if it was ended in the middle of a read. */
  wasReading = false;

  constructor(name: string, onLine: (line: string) => void, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#tail = new CautiousTail(name, { follow: false, useWatchFile: false, separator: '\n', encoding: 'latin1' });
    this.startBytes = this.#tail.currentCursorPos;
    const queue = this.#tail.queue;
    this.#tail.on('line', (line) => this.#isOver || onLine(line));
    // At a rename the package has dropped its queue when it says so; the old one still tells whether it was reading.
    this.#tail.on('error', () => this.#end(queue.length > 0));
    this.#tail.watcher?.on('error', () => this.#end(queue.length > 0));
  }

  get isReading(): boolean {
    return !this.#isOver && this.#tail.queue.length > 0;
  }

  look(): void {
    try {
      if (!this.#isOver) this.#tail.change();
    } catch {
      this.#end(false);
    }
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wasReading = this.#tail.queue.length > 0;
    this.#tail.unwatch();
  }

  #end(wasReading: boolean): void {
    if (this.#isOver) return;
    this.stop();
    this.wasReading ||= wasReading;
    this.#onEnd();
  }
}
