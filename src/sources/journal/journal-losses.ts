// Keeps account of what a journal does not give although it was logged, and words it as notes.
import { isoInstant } from '../../lib/instant.ts';
import type { SourceNote } from '../codes.ts';
import { cursorAt } from './journal-cursor.ts';
import type { Framed } from './journal-framer.ts';
import { JournalGaps } from './journal-gaps.ts';
import type { Skipped } from './journal-reading.ts';
import { SuppressedMessages } from './journal-suppressed.ts';

/** The kernel's first entries come within seconds; if the first one is later, older ones were removed. */
const FIRST_ENTRY_MAX_US = 60_000_000;

export class JournalLosses {
  readonly #name: string;
  readonly #isOneBoot: boolean;
  readonly #gaps = new JournalGaps();
  readonly #suppressed = new SuppressedMessages();
  #firstUs: number | null = null;
  #cutFields = 0;
  #skipped: Skipped | null = null;

  /** `isOneBoot`: entries of one boot from its beginning, where each one missing counts. */
  constructor(name: string, isOneBoot: boolean) {
    this.#name = name;
    this.#isOneBoot = isOneBoot;
  }

  /** `skipped`: what was left out on purpose before these entries. */
  add(entries: Framed, skipped: Skipped | null = null): void {
    this.#cutFields += entries.cutFields;
    this.#suppressed.add(entries);
    if (!this.#isOneBoot) return;
    this.#firstUs ??= cursorAt(entries.bytes, 0)?.monotonicUs ?? null;
    if (skipped !== null) this.#gaps.skip();
    this.#skipped ??= skipped;
    this.#gaps.add(entries);
  }

  /** All that is known by now. Dropped messages are noted under the unit that they came from. */
  notes(): SourceNote[] {
    const what = this.#name;
    const notes: SourceNote[] = [];
    const firstS = Math.round((this.#firstUs ?? 0) / 1e6);
    if ((this.#firstUs ?? 0) > FIRST_ENTRY_MAX_US)
      notes.push({ what, code: 'journal-start-missing', detail: `begins ${firstS} s after it` });
    if (this.#skipped !== null)
      notes.push({ what, code: 'journal-middle-skipped', detail: wordSkipped(this.#skipped) });
    if (this.#gaps.missing > 0) notes.push({ what, code: 'journal-gap', detail: `${this.#gaps.missing} entries` });
    if (this.#cutFields > 0) notes.push({ what, code: 'journal-fields-cut', detail: `${this.#cutFields} fields` });
    for (const [unit, count] of this.#suppressed.counts)
      notes.push({ what: unit, code: 'journal-suppressed', detail: `${count} messages` });
    return notes;
  }
}

function wordSkipped({ entries, fromMs, toMs }: Skipped): string {
  const span = `${isoInstant(fromMs) ?? 'an impossible time'} to ${isoInstant(toMs) ?? 'an impossible time'}`;
  return entries === null ? span : `${entries} entries, ${span}`;
}
