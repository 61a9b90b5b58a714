// Reads a followed file on from where it was, and makes sure that what it pushes are lines of one writing. Does not know when
// there is something to read.
import type { FollowedFile } from '../../host/host.ts';
import type { SourceCode } from '../codes.ts';
import { LINE_MAX_BYTES, LineCutter } from './line-splitter.ts';
import { readHead, Trace } from './fingerprint.ts';
import type { LiveSink } from '../live.ts';
import { END_BYTES, isAlmostHoles } from '../capture/sparse.ts';

const CHUNK_BYTES = 256 * 1024;
const HEADS_MAX = 8;

export interface ReaderEvents {
  /** Called when there are lines, and again when there are some after the file was emptied. */
  open(): LiveSink;
  note(code: SourceCode, detail: string): void;
}

/** Where a method says false, the file was emptied, its sink is closed, and it is to be read again from its start. */
export class FileReader {
  readonly #file: FollowedFile;
  readonly #events: ReaderEvents;
  readonly #trace = new Trace();
  readonly #lines: LineCutter;
  readonly #earlierHeads: Buffer[] = [];
  #sink: LiveSink | null = null;
  #isStopped = false;

  constructor(file: FollowedFile, events: ReaderEvents) {
    this.#file = file;
    this.#events = events;
    this.#lines = new LineCutter(
      (lines) => (this.#sink ??= events.open()).push(lines),
      () => events.note('line-cut', ''),
    );
  }

  /** Offset up to which all was read. */
  get position(): number {
    return this.#trace.position;
  }

  /** The first bytes of what was read of the file, at most 1 KiB each time that it was filled anew. */
  get heads(): readonly Buffer[] {
    return [...this.#earlierHeads, this.#trace.head];
  }

  /** The first bytes that the file holds now. @throws HostError */
  headNow(): Promise<Buffer> {
    return readHead(this.#file);
  }

  /** The size alone does not tell: the file may have been emptied and have grown as large again. @throws HostError */
  async check(): Promise<boolean> {
    return (await this.#trace.agrees(this.#file)) || this.restart();
  }

  /** Of a file that is almost only holes, the first and the last 64 MiB are read. @throws HostError */
  async readOn(sizeBytes: number, allocatedBytes: number): Promise<boolean> {
    if (isAlmostHoles(sizeBytes, allocatedBytes) && sizeBytes - this.position > 2 * END_BYTES) {
      if (!(await this.readTo(this.position + END_BYTES))) return false;
      this.#events.note('sparse', '');
      this.#lines.end();
      this.#trace.jump(sizeBytes - END_BYTES);
    }
    return this.readTo(sizeBytes);
  }

  /** @throws HostError */
  async readTo(end: number): Promise<boolean> {
    while (this.position < end && !this.#isStopped) {
      const chunk = await this.#trace.read(this.#file, Math.min(CHUNK_BYTES, end - this.position));
      if (chunk === null) return this.restart();
      if (chunk.length === 0) return true;
      if (!(await this.#trace.agrees(this.#file, chunk))) {
        this.#use(await this.#trace.oldPart(this.#file, chunk));
        return this.restart();
      }
      this.#use(chunk);
    }
    return true;
  }

  /** Takes bytes that others read at the position. They are left out if the file was emptied: nobody knows of which writing they are. @throws HostError */
  async take(chunk: Buffer): Promise<boolean> {
    if (!(await this.#trace.agrees(this.#file, chunk))) return this.restart();
    this.#use(chunk);
    return true;
  }

  restart(): false {
    this.#earlierHeads.push(this.#trace.head);
    if (this.#earlierHeads.length > HEADS_MAX) this.#earlierHeads.shift();
    this.#trace.restart();
    // The end of that line is gone, and half a line says what was never written.
    this.#lines.drop();
    this.#sink?.close();
    this.#sink = null;
    return false;
  }

  /** True if a line has begun that was not pushed as it stands. */
  get isHolding(): boolean {
    return this.#lines.isHolding;
  }

  /** Pushes a last line without an end as it stands; once it goes on, it comes again as a whole. */
  show(): void {
    if (!this.#isStopped) this.#lines.show();
  }

  /** Leaves off in the middle of whatever is being read. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Reads what is left, if it is not more than a line, and pushes a last line without an end. @throws HostError */
  async end(): Promise<void> {
    try {
      const { sizeBytes } = await this.#file.state();
      this.#isStopped = false;
      if (sizeBytes - this.position > LINE_MAX_BYTES || sizeBytes < this.position) this.#lines.drop();
      else await this.readTo(sizeBytes);
    } finally {
      this.#lines.end();
      this.#sink?.close();
    }
  }

  #use(chunk: Buffer): void {
    if (this.#isStopped) return;
    this.#trace.advance(chunk);
    this.#lines.take(chunk);
  }
}
