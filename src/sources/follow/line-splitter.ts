// Cuts the bytes of a followed file into whole lines, holds back the last one until it is complete or wanted as it is, and bounds its length.
import { withoutHole } from './fingerprint.ts';

export const LINE_MAX_BYTES = 1024 * 1024;
/** A line may come byte by byte. */
const PARTS_MAX = 64;
/** A row of dots grows for minutes. */
const SHOWS_MAX = 8;
const LINE_FEED = 10;
const NEWLINE = Buffer.of(LINE_FEED);
const NO_BYTES = Buffer.alloc(0);

export class LineCutter {
  readonly #push: (lines: Buffer) => void;
  readonly #onCut: () => void;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** How much of what is held was pushed already, and how often. */
  #shownBytes = 0;
  #shows = 0;
  /** True within a line of which enough was handed out. */
  #isDropping = false;

  /** `push` gets whole lines only; `onCut` is called once for each line of which only the first 1 MiB was pushed. */
  constructor(push: (lines: Buffer) => void, onCut: () => void) {
    this.#push = push;
    this.#onCut = onCut;
  }

  /** True if a line has begun that was not pushed as it stands. */
  get isHolding(): boolean {
    return this.#heldBytes > this.#shownBytes;
  }

  /** Pushes what is held back and keeps it: with what follows it is pushed again, as a whole. A line that goes on for ever is not shown for ever. */
  show(): void {
    if (!this.isHolding || this.#shows >= SHOWS_MAX) return;
    this.#push(Buffer.concat([...this.#held, NEWLINE]));
    this.#shownBytes = this.#heldBytes;
    this.#shows++;
  }

  take(chunk: Buffer): void {
    const rest = this.#finishLine(chunk);
    const end = rest.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) this.#push(rest.subarray(0, end));
    this.#hold(rest.subarray(end));
  }

  /** Forgets what was held back. */
  drop(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#shownBytes = 0;
    this.#shows = 0;
    this.#isDropping = false;
  }

  /** Nothing more will come: what was held back is a line too. */
  end(): void {
    if (this.isHolding) this.#push(Buffer.concat([...this.#held, NEWLINE]));
    this.drop();
  }

  /** Pushes the line that was held back if it ends in the chunk. What follows its end. */
  #finishLine(chunk: Buffer): Buffer {
    if (this.#heldBytes === 0 && !this.#isDropping) return withoutHole(chunk);
    const end = chunk.indexOf(LINE_FEED) + 1;
    if (end === 0) {
      this.#hold(chunk);
      return NO_BYTES;
    }
    this.#hold(chunk.subarray(0, end - 1));
    if (this.isHolding) this.#push(Buffer.concat([...this.#held, NEWLINE]));
    this.drop();
    return chunk.subarray(end);
  }

  #hold(bytes: Buffer): void {
    const part = this.#heldBytes === 0 ? withoutHole(bytes) : bytes;
    if (part.length === 0 || this.#isDropping) return;
    const room = LINE_MAX_BYTES - this.#heldBytes;
    // A copy: the chunk that it is a part of may be far larger.
    this.#held.push(Buffer.from(part.subarray(0, room)));
    this.#heldBytes += Math.min(part.length, room);
    if (this.#held.length > PARTS_MAX) this.#held = [Buffer.concat(this.#held)];
    if (part.length <= room) return;
    this.end();
    this.#isDropping = true;
    this.#onCut();
  }
}
