// What is known of a line while its carriers are taken off, one after the other.
import type { Level } from '../types.ts';

/** The line in work. Carriers read `text` and write what they took off; `text` ends up as the message. */
export interface LineState {
  text: string;
  /** Placed wall time in ms, null if the line gives none. The innermost stamp with a year wins over one without. */
  wallMs: number | null;
  /** True if the wall time was given with its year. */
  dated: boolean;
  monotonicMs: number | null;
  identifier: string | null;
  pid: string | null;
  /** journald's trusted unit, or the unit that a systemd line speaks about. */
  unit: string | null;
  trustedUnit: string | null;
  trustedExecutable: string | null;
  level: Level | null;
  component: string | null;
  bootId: string | null;
  cursor: string | null;
  /** True for an entry of a journal in JSON or export form: its message stands for it as proof, not the bytes. */
  fromJournal: boolean;
  /** Stream that a carrier alone proves (`bootstrap`, `kernel`), else null. */
  stream: string | null;
  /** How often it happened, where the line itself says so. */
  repeats: number;
}

export function newLineState(text: string): LineState {
  return {
    text,
    wallMs: null,
    dated: false,
    monotonicMs: null,
    identifier: null,
    pid: null,
    unit: null,
    trustedUnit: null,
    trustedExecutable: null,
    level: null,
    component: null,
    bootId: null,
    cursor: null,
    fromJournal: false,
    stream: null,
    repeats: 1,
  };
}

/** One way of wrapping a message. `unwrap` returns false and changes nothing if the text is not of its form. */
export interface Carrier {
  readonly name: string;
  unwrap(line: LineState, clock: StampClock): boolean;
}

/** Places stamps without a year: near `referenceMs`, a time that the capture itself names. */
export interface StampClock {
  readonly referenceMs: number;
}
