// Cuts the whole entry round a hit out of a window of bytes: the line, or the journal entry in export form, and for text
// logs the continuation lines of the same process (klog's `err=<` blocks, tab-indented follow-ups).
import { unwrapOuter } from './carriers/index.ts';
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
export function exportBounds(bytes: Buffer, length: number, at: number): Bounds {
  return bounds(bytes, length, at, EXPORT_HEAD, EXPORT_END);
}

/** Looks no further than the reach, so that a line without end costs no more than another. */
function bounds(bytes: Buffer, length: number, at: number, opens: number | Buffer, closes: number | Buffer): Bounds {
  const floor = Math.max(0, at - ENTRY_REACH_BYTES);
  const ceiling = Math.min(length, at + ENTRY_REACH_BYTES);
  const before = bytes.subarray(floor, at).lastIndexOf(opens);
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
  readonly raw: string;
  readonly cut: boolean;
  /** Set if it is a stack frame or the like, which proves nothing. */
  readonly noise: boolean;
}

const CONTINUATION = /^(?:\t| >$)/;
const STACK = /^(?:\t?\S*\/\S+\.go:\d+(?: \+0x[0-9a-f]+)?$|\t\S+\.go:\d+|goroutine \d+ \[|created by |\S+\((?:0x[0-9a-f]+|\.\.\.|\{0x)|\S+\.\S+\(.*0x[0-9a-f]+)/;

/** The entry round a hit. `exported` says that the bytes are a journal in export form. */
export function cutEntry(bytes: Buffer, length: number, at: number, exported: boolean, clock: StampClock): Entry {
  if (exported) {
    const bounds = exportBounds(bytes, length, at);
    const line = newLineState(bytes.toString('latin1', bounds.start, bounds.end));
    unwrapOuter(line, clock);
    return { line, start: bounds.start, raw: line.text, cut: bounds.cut, noise: STACK.test(line.text) };
  }
  const own = readLine(bytes, lineBounds(bytes, length, at), clock);
  if (STACK.test(own.line.text)) return { ...own, noise: true };
  const head = CONTINUATION.test(own.line.text) ? findHead(bytes, length, own, clock) : own;
  const rest = continuation(bytes, length, head, clock);
  if (rest !== '') head.line.text += rest;
  return { ...head, raw: head === own ? own.raw : head.raw + rest, cut: own.cut || head.cut, noise: false };
}

interface ReadLine {
  readonly line: LineState;
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly cut: boolean;
}

function readLine(bytes: Buffer, bounds: Bounds, clock: StampClock): ReadLine {
  const raw = bytes.toString('utf8', bounds.start, bounds.end);
  const line = newLineState(raw);
  unwrapOuter(line, clock);
  return { line, start: bounds.start, end: bounds.end, raw, cut: bounds.cut };
}

function sameProcess(a: LineState, b: LineState): boolean {
  return a.identifier === b.identifier && a.pid === b.pid;
}

function findHead(bytes: Buffer, length: number, own: ReadLine, clock: StampClock): ReadLine {
  let at = own.start;
  let strangers = 0;
  for (let lines = 0; lines < JOINED_LINES_MAX && at > 0 && strangers <= STRANGERS_MAX; lines++) {
    const before = readLine(bytes, lineBounds(bytes, length, at - 1), clock);
    at = before.start;
    if (!sameProcess(before.line, own.line)) strangers++;
    else if (!CONTINUATION.test(before.line.text)) return before;
  }
  return own;
}

function continuation(bytes: Buffer, length: number, head: ReadLine, clock: StampClock): string {
  if (head.line.whole) return '';
  const open = head.line.text.endsWith('=<');
  let text = '';
  let at = head.end + 1;
  let strangers = 0;
  for (let lines = 0; lines < JOINED_LINES_MAX && at < length && strangers <= (open ? STRANGERS_MAX : 0); lines++) {
    if (!open && !startsLikeContinuation(bytes, at, length, head)) break;
    const next = readLine(bytes, lineBounds(bytes, length, at), clock);
    at = next.end + 1;
    if (!sameProcess(next.line, head.line)) {
      strangers++;
      continue;
    }
    if (!CONTINUATION.test(next.line.text) || STACK.test(next.line.text)) break;
    text += `\n${next.line.text}`;
    if (text.length > JOINED_CHARS_MAX || next.line.text === ' >') break;
  }
  return text;
}

const TAB = 9;

/** Cheap look before a line is parsed: with carriers the tab follows `: `, without it stands first. */
function startsLikeContinuation(bytes: Buffer, at: number, length: number, head: ReadLine): boolean {
  if (head.line.identifier === null && head.line.cursor === null) return bytes[at] === TAB;
  const { end } = lineBounds(bytes, length, at);
  return bytes.subarray(at, end).includes(TAB);
}
