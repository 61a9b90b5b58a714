// Knows how far a journal was read, and drops what comes a second time: after a start anew, and because journald copies its
// entries from /run to /var while journalctl reads both.
import { type Cursor, cursorAt, sequenceAt } from './journal-cursor.ts';
import type { Framed } from './journal-framer.ts';

/** Lines that journald took in one go have one time; this many of them are kept apart. */
const TWINS_MAX = 4_096;
const SEQUENCES_MAX = 64;

export class JournalPlace {
  #last: Cursor | null = null;
  /** The highest number of each sequence. */
  readonly #numbers = new Map<string, number>();
  /** The entries that have the time of the last one: how often each content came, by sequence. */
  readonly #twins = new Map<string, Map<string, number>>();
  /** True if those are of several sequences: then journalctl may give them in any order. */
  #isMixed = false;

  get last(): Cursor | null {
    return this.#last;
  }

  /** What of the entries is new, null if nothing is. The place moves behind them. */
  pass(entries: Framed): Framed | null {
    if (this.#continues(entries)) {
      this.#moveBehind(entries);
      return entries;
    }
    const fresh = entries.starts.filter((start) => this.#isNew(cursorAt(entries.bytes, start)));
    if (fresh.length === entries.starts.length) return entries;
    return fresh.length === 0 ? null : only(entries, fresh);
  }

  /** The usual case: all in the sequence of the last one, and behind it. */
  #continues({ bytes, starts }: Framed): boolean {
    const last = this.#last;
    const first = cursorAt(bytes, starts[0]!);
    if (last === null || first === null || first.number <= last.number) return false;
    if (this.#isMixed && first.monotonicUs === last.monotonicUs) return false;
    return starts.every((start) => sequenceAt(bytes, start) === last.sequence);
  }

  /** Only the entries at the end that have one time matter. */
  #moveBehind({ bytes, starts }: Framed): void {
    const run: Cursor[] = [];
    for (const start of starts.toReversed()) {
      const cursor = cursorAt(bytes, start);
      if (cursor === null || (run.length > 0 && cursor.monotonicUs !== run[0]!.monotonicUs)) break;
      run.push(cursor);
    }
    for (const cursor of run.toReversed()) this.#moveTo(cursor);
  }

  #isNew(cursor: Cursor | null): boolean {
    if (cursor === null) return true;
    const last = this.#last;
    if (cursor.number <= (this.#numbers.get(cursor.sequence) ?? -1)) return false;
    if (last !== null && cursor.sequence !== last.sequence && isEarlier(cursor, last)) return false;
    return this.#moveTo(cursor);
  }

  /**
   * False if it is a copy. A copy keeps its times and its content and is in another sequence; what comes twice in one sequence
   * was logged twice.
   */
  #moveTo(cursor: Cursor): boolean {
    const { sequence, content } = cursor;
    if (cursor.monotonicUs !== this.#last?.monotonicUs || this.#twins.size >= TWINS_MAX) {
      this.#twins.clear();
      this.#isMixed = false;
    } else if (sequence !== this.#last.sequence) this.#isMixed = true;
    const counts = this.#twins.get(content) ?? new Map<string, number>();
    const given = Math.max(0, ...counts.values());
    const count = (counts.get(sequence) ?? 0) + 1;
    this.#twins.set(content, counts.set(sequence, count));
    if (this.#numbers.size < SEQUENCES_MAX || this.#numbers.has(sequence)) this.#numbers.set(sequence, cursor.number);
    this.#last = cursor;
    return count > given;
  }
}

function isEarlier(cursor: Cursor, last: Cursor): boolean {
  return cursor.bootId === last.bootId ? cursor.monotonicUs < last.monotonicUs : cursor.realtimeUs <= last.realtimeUs;
}

/** The entries that begin at `kept`, which are some of theirs. */
function only(entries: Framed, kept: readonly number[]): Framed {
  const { bytes, starts } = entries;
  const parts: Buffer[] = [];
  const newStarts: number[] = [];
  let length = 0;
  for (const start of kept) {
    const part = bytes.subarray(start, starts[starts.indexOf(start) + 1] ?? bytes.length);
    parts.push(part);
    newStarts.push(length);
    length += part.length;
  }
  return { ...entries, bytes: Buffer.concat(parts), starts: newStarts };
}
