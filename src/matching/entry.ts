// Cuts the whole entry round a hit out of a window of bytes: the line, or the journal entry in export form, and for text
// logs the continuation lines of the same process (klog's `err=<` blocks, tab-indented follow-ups).
import { unwrapOuter } from './formats/index.ts';
import { type LineState, newLineState, type StampClock } from './line-state.ts';

/** An entry is cut at this distance before and behind a hit; more is counted as cut off. */
export const ENTRY_REACH_BYTES = 64 * 1024;
const JOINED_LINES_MAX = 64;
const JOINED_CHARS_MAX = 16 * 1024;
/** How many lines of other processes may stand between two lines of one entry. */
const STRANGERS_MAX = 8;

export interface Bounds {
  readonly start: number;
  readonly end: number;
  readonly cut: boolean;
}

const NEWLINE = 10;
const EXPORT_HEAD = Buffer.from('\n__CURSOR=');
const EXPORT_END = Buffer.from('\n\n__CURSOR=');

/** The line that holds `at`, without its newline. */
export function lineBounds(bytes: Buffer, length: number, at: number): Bounds {
  return bounds(bytes, length, at, NEWLINE, NEWLINE);
}

/** The journal entry in export form that holds `at`. */
function exportBounds(bytes: Buffer, length: number, at: number): Bounds {
  return bounds(bytes, length, at, EXPORT_HEAD, EXPORT_END);
}

/** Looks no further than the reach, so that a line without end costs no more than another. What opens at `at` itself holds it. */
function bounds(bytes: Buffer, length: number, at: number, opens: number | Buffer, closes: number | Buffer): Bounds {
  const floor = Math.max(0, at - ENTRY_REACH_BYTES);
  const ceiling = Math.min(length, at + ENTRY_REACH_BYTES);
  const before = bytes.subarray(floor, at + (typeof opens === 'number' ? 0 : opens.length - 1)).lastIndexOf(opens);
  const next = bytes.subarray(at, ceiling).indexOf(closes);
  return {
    start: before < 0 ? floor : floor + before + 1,
    end: next < 0 ? ceiling : at + next,
    cut: (before < 0 && floor > 0) || (next < 0 && ceiling < length),
  };
}

export interface Entry {
  readonly line: LineState;
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly cut: boolean;
  /** Set if it is a stack frame or the like, which proves nothing. */
  readonly noise: boolean;
}

const CONTINUATION = /^(?:\t| >$)/;
const STACK = /^(?:\t\S{1,300}\.go:\d+|goroutine \d+ \[|created by \S|[\w./*()-]{3,200}\((?:0x[0-9a-f]|\.\.\.\)|\{0x))/;

/** The entry round a hit. `exported` says that the bytes are a journal in export form. */
export function cutEntry(bytes: Buffer, length: number, at: number, exported: boolean, clock: StampClock): Entry {
  const window: Window = { bytes, length, exported, clock };
  const own = readAt(window, at);
  if (STACK.test(own.line.text)) return { ...own, noise: true };
  const head = CONTINUATION.test(own.line.text) ? findHead(window, own) : own;
  const joined = join(window, head, head !== own || head.line.text.endsWith('=<'));
  // What was hit is never left out: a head too far away to reach it does not have it.
  return head === own || joined.end >= own.end ? joined : join(window, own, false);
}

function join(window: Window, head: ReadLine, expected: boolean): Entry {
  const { text, end } = continuation(window, head, expected);
  const line = { ...head.line, text: head.line.text + text };
  return { line, start: head.start, end, raw: head.raw + text, cut: head.cut, noise: false };
}

interface Window {
  readonly bytes: Buffer;
  readonly length: number;
  readonly exported: boolean;
  readonly clock: StampClock;
}

interface ReadLine {
  readonly line: LineState;
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly cut: boolean;
}

/** The line or journal entry that holds `at`. */
function boundsAt({ bytes, length, exported }: Window, at: number): Bounds {
  return exported ? exportBounds(bytes, length, at) : lineBounds(bytes, length, at);
}

/** The single line or journal entry that holds `at`, its outer log formats taken off. */
function readAt(window: Window, at: number): ReadLine {
  const { bytes, exported, clock } = window;
  const { start, end, cut } = boundsAt(window, at);
  const text = bytes.toString(exported ? 'latin1' : 'utf8', start, end);
  const line = newLineState(text);
  unwrapOuter(line, clock);
  return { line, start, end, cut, raw: line.fromJournal ? line.text : text };
}

function sameProcess(a: LineState, b: LineState): boolean {
  return a.identifier === b.identifier && a.pid === b.pid;
}

/** Distance from one line or entry to the next: a newline, or an empty line. */
function gap({ exported }: Window): number {
  return exported ? 2 : 1;
}

function findHead(window: Window, own: ReadLine): ReadLine {
  let at = own.start;
  let strangers = 0;
  for (let lines = 0; lines < JOINED_LINES_MAX && at >= gap(window) && strangers <= STRANGERS_MAX; lines++) {
    const before = readAt(window, at - gap(window));
    at = before.start;
    if (!sameProcess(before.line, own.line)) strangers++;
    else if (!CONTINUATION.test(before.line.text)) return before;
  }
  return own;
}

/** The lines that continue the head. `expected` looks past lines of other processes; else only the very next line is tried. */
function continuation(
  window: Window,
  head: ReadLine,
  expected: boolean,
): { readonly text: string; readonly end: number } {
  let text = '';
  let end = head.end;
  let at = head.end + gap(window);
  let strangers = 0;
  for (
    let lines = 0;
    lines < JOINED_LINES_MAX && at < window.length && strangers <= (expected ? STRANGERS_MAX : 0);
    lines++
  ) {
    if (!expected && !mayContinue(window, at, head)) break;
    const next = readAt(window, at);
    at = next.end + gap(window);
    if (!sameProcess(next.line, head.line)) {
      strangers++;
      continue;
    }
    if (!CONTINUATION.test(next.line.text) || STACK.test(next.line.text)) break;
    text += `\n${next.line.text}`;
    end = next.end;
    if (text.length > JOINED_CHARS_MAX || next.line.text === ' >') break;
  }
  return { text, end };
}

const TAB = 9;
const TAB_IN_JSON = Buffer.from(String.raw`"\t`);

/** Cheap look before a line is parsed: without log formats the tab stands first, with them somewhere. */
function mayContinue(window: Window, at: number, head: ReadLine): boolean {
  const { bytes, exported } = window;
  if (head.line.identifier === null && !exported) return bytes[at] === TAB;
  const { end } = boundsAt(window, at);
  const next = bytes.subarray(at, end);
  return next.includes(TAB) || next.includes(TAB_IN_JSON);
}
