// Remembers the last bytes that were read of a file, to notice that it was emptied and written anew, however fast it grew again.
import type { FollowedFile } from '../../host/host.ts';
import { fill } from '../../lib/fill.ts';

/** So many bytes at the start of a log are unlike those of any other. */
const HEAD_BYTES = 1024;
const HOLE_MAX_BYTES = 64 * 1024 * 1024;
const HOLE_CHUNK_BYTES = 256 * 1024;
const TRACE_BYTES = 1024;
const PAGE_BYTES = 4096;
const NO_BYTES: Buffer = Buffer.alloc(0);

export class Trace {
  /** Offset of the first byte that was not read yet. */
  position = 0;
  /** The first bytes of the file after a hole that it may begin with, at most 1 KiB. */
  head = NO_BYTES;
  #last = NO_BYTES;

  advance(chunk: Buffer): void {
    if (this.head.length < HEAD_BYTES) {
      const part = this.head.length === 0 ? withoutHole(chunk) : chunk;
      this.head = Buffer.concat([this.head, part.subarray(0, HEAD_BYTES - this.head.length)]);
    }
    this.position += chunk.length;
    const whole = chunk.length < TRACE_BYTES ? Buffer.concat([this.#last, chunk]) : chunk;
    this.#last = Buffer.from(whole.subarray(-TRACE_BYTES));
  }

  restart(): void {
    this.head = NO_BYTES;
    this.jump(0);
  }

  /** Goes on elsewhere. */
  jump(position: number): void {
    this.position = position;
    this.#last = NO_BYTES;
  }

  /**
   * Reads on, at most `length` bytes; none at the end. Null if the file does not hold any more what was read before: that is read
   * once more with the rest, at one moment. @throws HostError
   */
  async read(file: FollowedFile, length: number): Promise<Buffer | null> {
    const read = await readAll(file, this.position - this.#last.length, this.#last.length + length);
    return read.subarray(0, this.#last.length).equals(this.#last) ? read.subarray(this.#last.length) : null;
  }

  /**
   * True if the file still holds what was read before, and the start of `chunk` after it. Asked after a chunk was read, it shows that
   * all of it is of one writing. Only a new writing with the same bytes at the same place is not noticed. @throws HostError
   */
  async agrees(file: FollowedFile, chunk: Buffer = NO_BYTES): Promise<boolean> {
    const known = Buffer.concat([this.#last, chunk.subarray(0, TRACE_BYTES)]);
    return known.equals(await readAll(file, this.position - this.#last.length, known.length));
  }

  /**
   * What of a chunk that `read` gave was read before the file was written anew. A file is read from front to back and page by
   * page: the old pages stand first. @throws HostError
   */
  async oldPart(file: FollowedFile, chunk: Buffer): Promise<Buffer> {
    const now = await readAll(file, this.position, chunk.length);
    // What is new is not even that long: none of it can be in the chunk.
    if (now.length < chunk.length) return chunk;
    const isNew = (start: number, end: number): boolean => chunk.subarray(start, end).equals(now.subarray(start, end));
    let end = chunk.length;
    for (
      let start = lastPage(this.position + end) - this.position;
      end > 0 && isNew(Math.max(0, start), end);
      start -= PAGE_BYTES
    )
      end = Math.max(0, start);
    return chunk.subarray(0, end);
  }
}

/** Offset at which the page of the byte before `offset` begins. */
function lastPage(offset: number): number {
  return Math.floor((offset - 1) / PAGE_BYTES) * PAGE_BYTES;
}

/** The first bytes of a file, as `Trace.head`; none if a hole of more than 64 MiB comes before them. @throws HostError */
export async function readHead(file: FollowedFile): Promise<Buffer> {
  for (let position = 0; position < HOLE_MAX_BYTES;) {
    const chunk = await readAll(file, position, position === 0 ? HEAD_BYTES : HOLE_CHUNK_BYTES);
    const rest = withoutHole(chunk);
    position += chunk.length;
    if (rest.length > 0) return readAll(file, position - rest.length, HEAD_BYTES);
    if (chunk.length === 0) break;
  }
  return NO_BYTES;
}

/** Where a program goes on at its old place after its file was emptied, a hole stands before its next line. */
export function withoutHole(chunk: Buffer): Buffer {
  let at = 0;
  while (at < chunk.length && chunk[at] === 0) at++;
  return chunk.subarray(at);
}

/** Fewer bytes only at the end of the file. */
async function readAll(file: FollowedFile, position: number, length: number): Promise<Buffer> {
  const into = Buffer.allocUnsafe(length);
  return into.subarray(0, await fill(into, (rest, at) => file.readAt(rest, position + at)));
}
