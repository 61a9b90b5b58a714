// What stands beside a match in its input: a few whole lines before and behind it. Kept as bytes, and made readable only for what
// becomes evidence.
import type { EvidenceContext, Origin } from '../types.ts';
import { unwrapOuter } from './formats/index.ts';
import { type LineState, newLineState, type StampClock } from './line-state.ts';

export interface Ground {
  readonly exported: boolean;
  readonly clock: StampClock;
  /** Is it what this tool said? That explains nothing. */
  readonly isOwn: (line: LineState) => boolean;
}

/** On each side. */
const LINES_MAX = 3;
/** On each side; an entry of a journal, in export form or in JSON, stands among its fields. */
const TEXT_MAX_BYTES = 1_500;
const JOURNAL_MAX_BYTES = 3_000;
const BRACE = 123;

/** Bytes as latin1. A line that is not whole is left out: it could hold a secret without the name before it. */
interface Side {
  readonly bytes: string;
  readonly isWhole: boolean;
}

/** The part of an input that is in memory. */
export interface InMemory {
  readonly bytes: Buffer;
  readonly length: number;
  /** File offset of its first byte. */
  readonly base: number;
  /** Nothing comes behind it. */
  readonly isEnd: boolean;
}

export class Surroundings {
  readonly #ground: Ground;
  readonly #start: number;
  readonly #end: number;
  #before: Side | null = null;
  #after: Side = { bytes: '', isWhole: true };
  #isOpen = true;

  /** Holds nothing until `keep`. */
  constructor(ground: Ground, { offset, end }: Origin) {
    this.#ground = ground;
    this.#start = offset ?? -1;
    this.#end = end ?? -1;
  }

  /** To be called before the bytes go; of an input that grows again, until enough has come behind the entry. */
  keep({ bytes, length, base, isEnd }: InMemory): void {
    const [start, end] = [this.#start - base, this.#end - base];
    if (!this.#isOpen || start < 0 || end < start) return;
    const isJournal = this.#ground.exported || bytes[start] === BRACE;
    const maxBytes = isJournal ? JOURNAL_MAX_BYTES : TEXT_MAX_BYTES;
    const from = Math.max(0, start - maxBytes);
    this.#before ??= { bytes: bytes.toString('latin1', from, start), isWhole: from === 0 && base === 0 };
    const to = Math.min(length, end + maxBytes);
    this.#after = { bytes: bytes.toString('latin1', Math.min(end + 1, to), to), isWhole: isEnd && to === length };
    this.#isOpen = to === length && !isEnd;
  }

  lines(): EvidenceContext {
    if (this.#before === null) return { before: [], after: [] };
    const before = this.#split(this.#before.bytes).slice(this.#before.isWhole ? 0 : 1);
    const after = this.#split(this.#after.bytes).slice(0, this.#after.isWhole ? undefined : -1);
    return { before: this.#read(before).slice(-LINES_MAX), after: this.#read(after).slice(0, LINES_MAX) };
  }

  #split(bytes: string): string[] {
    return bytes.split(this.#ground.exported ? /\n{1,2}(?=__CURSOR=)|\n\n$/ : '\n');
  }

  /** Of a journal's entry its message and whose it is, of all else the line as it stands. */
  #read(entries: readonly string[]): string[] {
    return entries.flatMap((bytes) => {
      const text = this.#ground.exported ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
      const line = newLineState(text);
      unwrapOuter(line, this.#ground.clock);
      if (this.#ground.isOwn(line)) return [];
      const { identifier, pid } = line;
      const who = identifier === null ? '' : `${identifier}${pid === null ? '' : `[${pid}]`}: `;
      const lines = line.fromJournal ? `${who}${line.text}`.split('\n') : [text];
      return lines.map((one) => one.trimEnd()).filter((one) => one !== '');
    });
  }
}
