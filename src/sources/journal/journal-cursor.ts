// Reads the cursor of a journal entry, which names its place and its times. The form is that of sd_journal_get_cursor,
// unchanged since systemd 187.

/** A place in a journal. journald numbers its entries by one counter over all its files; a sequence is a file and those it was rotated into. */
export interface Cursor {
  readonly text: string;
  readonly sequence: string;
  readonly number: number;
  readonly bootId: string;
  readonly monotonicUs: number;
  readonly realtimeUs: number;
  /** A hash over the fields. */
  readonly content: string;
}

const FORM =
  /^__CURSOR=(?<text>s=(?<sequence>[0-9a-f]{32});i=(?<number>[0-9a-f]{1,13});b=(?<bootId>[0-9a-f]{32});m=(?<monotonic>[0-9a-f]{1,13});t=(?<realtime>[0-9a-f]{1,13});x=(?<content>[0-9a-f]{1,16}))\n/;
const CURSOR_MAX_BYTES = 256;
const SEQUENCE_AT = '__CURSOR=s='.length;
const SEQUENCE_DIGITS = 32;
const NUMBER_AT = SEQUENCE_AT + SEQUENCE_DIGITS + ';i='.length;
const NUMBER_DIGITS_MAX = 13;
const SEMICOLON = 59;

/** The cursor of the entry in export form that begins at `start`, null if it has none that can be read. */
export function cursorAt(bytes: Buffer, start: number): Cursor | null {
  const groups = FORM.exec(bytes.toString('latin1', start, start + CURSOR_MAX_BYTES))?.groups;
  if (groups === undefined) return null;
  return {
    text: groups['text']!,
    sequence: groups['sequence']!,
    number: Number.parseInt(groups['number']!, 16),
    bootId: groups['bootId']!,
    monotonicUs: Number.parseInt(groups['monotonic']!, 16),
    realtimeUs: Number.parseInt(groups['realtime']!, 16),
    content: groups['content']!,
  };
}

/** True if `a` is `b` or stands before it; in another file also if it has the same time. */
export function isUpTo(a: Cursor, b: Cursor): boolean {
  if (a.sequence === b.sequence) return a.number <= b.number;
  return a.bootId === b.bootId ? a.monotonicUs <= b.monotonicUs : a.realtimeUs <= b.realtimeUs;
}

/** The sequence alone, for every entry there is. */
export function sequenceAt(bytes: Buffer, start: number): string {
  return bytes.toString('latin1', start + SEQUENCE_AT, start + SEQUENCE_AT + SEQUENCE_DIGITS);
}

/** The number alone. */
export function numberAt(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start + NUMBER_AT; at < start + NUMBER_AT + NUMBER_DIGITS_MAX; at++) {
    const byte = bytes[at];
    if (byte === undefined || byte === SEMICOLON) break;
    value = value * 16 + (byte > 57 ? byte - 87 : byte - 48);
  }
  return value;
}
