// What is known of a line while its log formats are taken off, one after the other.
import type { Level } from '../types.ts';

/** The line in work. Log formats read `text` and write what they took off; `text` ends up as the message. */
export interface LineState {
  text: string;
  /** Placed wall time in ms, null if the line gives none. The innermost stamp with a year wins over one without. */
  wallMs: number | null;
  /** True if the wall time was given with its year. */
  dated: boolean;
  monotonicMs: number | null;
  identifier: string | null;
  /** True if the form leaves no doubt that the identifier names a process (host and stamp of syslog, or a pid). */
  isNamed: boolean;
  pid: string | null;
  /** journald's trusted unit, or the unit that a systemd line speaks about. */
  unit: string | null;
  trustedUnit: string | null;
  trustedExecutable: string | null;
  /** journald's trusted user id. */
  trustedUid: string | null;
  level: Level | null;
  component: string | null;
  bootId: string | null;
  cursor: string | null;
  /** True for an entry of a journal in JSON or export form: its message stands for it as proof, not the bytes. */
  fromJournal: boolean;
  /** True for a line of a container's log: a pod's words. */
  fromContainer: boolean;
  /** Stream that a log format alone proves (`bootstrap`, `kernel`), else null. */
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
    isNamed: false,
    pid: null,
    unit: null,
    trustedUnit: null,
    trustedExecutable: null,
    trustedUid: null,
    level: null,
    component: null,
    bootId: null,
    cursor: null,
    fromJournal: false,
    fromContainer: false,
    stream: null,
    repeats: 1,
  };
}

/** A process may print lines that name others: they stay its own. `isSure`: the form leaves no doubt that it is a name. */
export function nameProcess(line: LineState, identifier: string, pid: string | null, isSure: boolean): void {
  if (line.isNamed) return;
  line.identifier = identifier;
  line.pid = pid;
  line.isNamed = isSure;
}

/** One way of wrapping a message. `unwrap` returns false and changes nothing if the text is not of its form. */
export interface LogFormat {
  readonly name: string;
  unwrap(line: LineState, clock: StampClock): boolean;
}

/** Places stamps without a year: near `referenceMs`, a time that the capture itself names. */
export interface StampClock {
  readonly referenceMs: number;
}
