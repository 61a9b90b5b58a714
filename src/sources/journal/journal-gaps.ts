// Counts the entries that a journal should hold and does not give, by the numbers in the cursors. Knows nothing of why.
import { numberAt, sequenceAt } from './journal-cursor.ts';
import type { Framed } from './journal-framer.ts';

/** Gaps that are kept open for entries that come late; an entry of another file may come behind its successor. */
const OPEN_GAPS_MAX = 64;
const SEQUENCES_MAX = 64;

interface Gap {
  readonly after: number;
  readonly before: number;
  missing: number;
}

export class JournalGaps {
  /** Highest number so far, over all sequences: journald numbers its files by one counter, a user's journal too. */
  #highest = -1;
  readonly #sequences = new Set<string>();
  readonly #gaps: Gap[] = [];
  #missing = 0;

  get missing(): number {
    return this.#missing;
  }

  add({ bytes, starts }: Framed): void {
    for (const start of starts) this.#entry(bytes, start);
  }

  /** What follows was not asked for in full: it is counted from where it begins. */
  skip(): void {
    this.#highest = -1;
    this.#sequences.clear();
  }

  #entry(bytes: Buffer, start: number): void {
    const number = numberAt(bytes, start);
    const sequence = sequenceAt(bytes, start);
    if (number <= this.#highest) this.#late(number);
    // A sequence that is new may count from anywhere.
    else if (number > this.#highest + 1 && this.#sequences.has(sequence)) this.#gap(number);
    this.#highest = Math.max(this.#highest, number);
    if (this.#sequences.size < SEQUENCES_MAX) this.#sequences.add(sequence);
  }

  #gap(number: number): void {
    const missing = number - this.#highest - 1;
    this.#missing += missing;
    this.#gaps.push({ after: this.#highest, before: number, missing });
    if (this.#gaps.length > OPEN_GAPS_MAX) this.#gaps.shift();
  }

  #late(number: number): void {
    const gap = this.#gaps.find(({ after, before }) => after < number && number < before);
    if (gap === undefined || gap.missing === 0) return;
    gap.missing--;
    this.#missing--;
  }
}
