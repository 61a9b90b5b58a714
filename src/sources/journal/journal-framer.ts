// Cuts the bytes of `journalctl -o export` into whole entries, by the lengths that they state, so that nothing that a message
// says can pass for an entry of its own. Knows the form of an entry and nothing of its meaning.

/** Entries in a row. Both are valid until the next `push`. */
export interface Framed {
  readonly bytes: Buffer;
  /** Where in `bytes` each entry begins. */
  readonly starts: readonly number[];
  /** Fields that were cut or left out because they were too long. */
  readonly cutFields: number;
}

/** All fields of one entry that its writer may choose, together; a longer value is cut. Native messages may have 768 MiB. */
const CHOSEN_MAX_BYTES = 44 * 1024;
/** One field that only journald sets (`_EXE`); such are not lost to what a writer adds. */
const TRUSTED_MAX_BYTES = 4 * 1024;
/** Below the matcher's reach from any place in an entry (64 KiB), so that it always finds where an entry begins and ends. */
const ENTRY_MAX_BYTES = 60 * 1024;
/** journald takes names of at most 64 characters. */
const NAME_MAX_BYTES = 64;

const HEAD = Buffer.from('__CURSOR=');
const BOUNDARY = Buffer.from('\n\n__CURSOR=');
const NEWLINE = 10;
const UNDERSCORE = 95;
const EQUALS = 61;
const COLON = 58;
const LENGTH_BYTES = 8;

/** line: in a line of text; length, value: in the length or the value of a binary field; after: the newline behind it. */
type State = 'line' | 'length' | 'value' | 'after' | 'lost';

export class JournalFramer {
  #out = Buffer.allocUnsafeSlow(256 * 1024);
  #length = 0;
  /** How much of `#out` is whole entries; behind it stands the beginning of the next one. */
  #whole = 0;
  #starts: number[] = [];
  #state: State = 'line';
  /** Where in `#out` the open field begins, and its value if it is a binary one. */
  #fieldAt = 0;
  #valueAt = 0;
  /** Bytes of the open length or value that are still to come. */
  #missing = 0;
  /** Of the open entry: bytes of fields that its writer chose. */
  #chosenBytes = 0;
  #cutFields = 0;

  /** True if the bytes were no journal in export form; nothing that came after that place was given out. */
  get isLost(): boolean {
    return this.#state === 'lost';
  }

  push(chunk: Buffer): Framed {
    this.#dropGivenOut();
    this.#makeRoom(chunk.length);
    this.#starts = [];
    this.#cutFields = 0;
    for (let at = 0; at < chunk.length && this.#state !== 'lost';) {
      if (this.#isAtEntry()) at = this.#takePlain(chunk, at);
      if (at < chunk.length) at = this.#take(chunk, at);
    }
    return { bytes: this.#out.subarray(0, this.#whole), starts: this.#starts, cutFields: this.#cutFields };
  }

  #isAtEntry(): boolean {
    return this.#state === 'line' && this.#length === this.#whole;
  }

  /**
   * Takes all entries up to the first that is binary, too long, or not whole. Only the length of a binary field can hold a NUL:
   * journalctl gives every value that is not plain text in binary form, and no length is so large that it fills its eight bytes.
   */
  #takePlain(chunk: Buffer, from: number): number {
    const nul = chunk.indexOf(0, from);
    const limit = nul < 0 ? chunk.length : nul;
    let at = from;
    for (;;) {
      const next = chunk.indexOf(BOUNDARY, at);
      if (next < 0 || next + BOUNDARY.length > limit || next - at > CHOSEN_MAX_BYTES) break;
      this.#starts.push(this.#length + at - from);
      at = next + 2;
    }
    if (at > from && !startsWith(chunk, from, HEAD)) return this.#lose(chunk);
    chunk.copy(this.#out, this.#length, from, at);
    this.#length += at - from;
    this.#whole = this.#length;
    this.#beginEntry();
    return at;
  }

  /** Takes the next piece of the open field. */
  #take(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case 'line':
        return this.#takeLine(chunk, at);
      case 'length':
        return this.#takeLength(chunk, at);
      case 'value':
        return this.#takeValue(chunk, at);
      case 'after':
        return this.#takeNewline(chunk, at);
      case 'lost':
        return chunk.length;
    }
  }

  #takeLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(NEWLINE, at);
    const end = newline < 0 ? chunk.length : newline;
    this.#keep(chunk, at, end);
    if (newline < 0) return end;
    if (this.#length === this.#fieldAt) this.#endEntry();
    else this.#endLine(chunk);
    return end + 1;
  }

  #endLine(chunk: Buffer): void {
    const name = this.#out.subarray(this.#fieldAt, Math.min(this.#length, this.#fieldAt + NAME_MAX_BYTES + 1));
    const equals = name.indexOf(EQUALS);
    const isHead = this.#fieldAt === this.#whole;
    if (startsWith(this.#out.subarray(0, this.#length), this.#fieldAt, HEAD) !== isHead) {
      if (isHead) this.#lose(chunk);
      else this.#length = this.#fieldAt;
    } else if (equals >= 0) {
      this.#settle(this.#fieldAt + equals + 1);
    } else if (name.length <= NAME_MAX_BYTES) {
      this.#out[this.#length++] = NEWLINE;
      this.#valueAt = this.#length;
      this.#missing = LENGTH_BYTES;
      this.#state = 'length';
    } else {
      this.#lose(chunk);
    }
  }

  #takeLength(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#missing);
    this.#keep(chunk, at, end);
    this.#missing -= end - at;
    if (this.#missing > 0) return end;
    const length = this.#out.readBigUInt64LE(this.#valueAt);
    if (length > BigInt(Number.MAX_SAFE_INTEGER)) return this.#lose(chunk);
    this.#missing = Number(length);
    this.#valueAt = this.#length;
    this.#state = this.#missing === 0 ? 'after' : 'value';
    return end;
  }

  #takeValue(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#missing);
    this.#keep(chunk, at, end);
    this.#missing -= end - at;
    if (this.#missing === 0) this.#state = 'after';
    return end;
  }

  #takeNewline(chunk: Buffer, at: number): number {
    if (chunk[at] !== NEWLINE) return this.#lose(chunk);
    this.#settle(this.#valueAt);
    this.#state = 'line';
    return at + 1;
  }

  /** Adds to the open field as much as any field may have, and a little more, so that it shows that it was too long. */
  #keep(chunk: Buffer, from: number, to: number): void {
    const room = this.#fieldAt + CHOSEN_MAX_BYTES + NAME_MAX_BYTES - this.#length;
    const end = Math.min(to, from + Math.max(0, room));
    chunk.copy(this.#out, this.#length, from, end);
    this.#length += end - from;
  }

  /** The open field is complete but for its last newline: it is cut to what it may have, made harmless, and closed. */
  #settle(valueAt: number): void {
    const isTrusted = this.#out[this.#fieldAt] === UNDERSCORE;
    const named = valueAt - this.#fieldAt + 1;
    const left = Math.min(
      isTrusted ? TRUSTED_MAX_BYTES : CHOSEN_MAX_BYTES - this.#chosenBytes,
      this.#whole + ENTRY_MAX_BYTES - this.#fieldAt,
    );
    const kept = Math.min(this.#length - valueAt, left - named);
    if (kept < this.#length - valueAt) this.#cutFields++;
    if (kept < 0) {
      this.#length = this.#fieldAt;
      return;
    }
    this.#length = valueAt + kept;
    if (this.#state === 'after') this.#closeBinary(valueAt, kept);
    this.#out[this.#length++] = NEWLINE;
    if (!isTrusted) this.#chosenBytes += this.#length - this.#fieldAt;
    this.#fieldAt = this.#length;
  }

  /** States the length that it has now, and breaks what a reader that looks for `__CURSOR=` lines would take for an entry. */
  #closeBinary(valueAt: number, bytes: number): void {
    this.#out.writeBigUInt64LE(BigInt(bytes), valueAt - LENGTH_BYTES);
    const value = this.#out.subarray(valueAt, this.#length);
    for (let at = value.indexOf(HEAD); at >= 0; at = value.indexOf(HEAD, at)) value[at + HEAD.length - 1] = COLON;
  }

  /** An empty line; one that follows no fields is none. */
  #endEntry(): void {
    if (this.#length === this.#whole) return;
    this.#starts.push(this.#whole);
    this.#out[this.#length++] = NEWLINE;
    this.#whole = this.#length;
    this.#beginEntry();
  }

  #beginEntry(): void {
    this.#fieldAt = this.#length;
    this.#chosenBytes = 0;
    this.#state = 'line';
  }

  #lose(chunk: Buffer): number {
    this.#state = 'lost';
    this.#length = this.#whole;
    return chunk.length;
  }

  #dropGivenOut(): void {
    const given = this.#whole;
    if (given === 0) return;
    this.#out.copyWithin(0, given, this.#length);
    this.#length -= given;
    this.#fieldAt -= given;
    this.#valueAt -= given;
    this.#whole = 0;
  }

  /** What is given out is never longer than what came in. */
  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes + NAME_MAX_BYTES;
    if (needed <= this.#out.length) return;
    const larger = Buffer.allocUnsafeSlow(needed);
    this.#out.copy(larger, 0, 0, this.#length);
    this.#out = larger;
  }
}

function startsWith(bytes: Buffer, at: number, text: Buffer): boolean {
  return bytes.compare(text, 0, text.length, at, Math.min(bytes.length, at + text.length)) === 0;
}
