// Shows of a log line what matters: without the stamp and host that stand beside it already, and cut round what a signature
// matched.
import { clip, wholeCharacters } from './wording.ts';

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Quote {
  readonly text: string;
  /** What was matched, in `text`; null if unknown. */
  readonly strong: Span | null;
}

const STAMP = String.raw`(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[+-]\d\d:?\d\d|Z)?)`;
/** `May  6 08:15:44 ip-10-20-30-40 ` before `kubelet[3214]: `. */
const SYSLOG_HEAD = new RegExp(String.raw`^${STAMP} [\w.-]{1,255} (?=[\w./()@-]{1,80}(?:\[\d+\])?: )`);
/** `E0506 08:15:44.123456    3214 ` before `run.go:74] `. */
const KLOG_HEAD =
  /^(?<name>[\w./()@-]{1,80}(?:\[\d+\])?: )?(?<level>[IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ (?=[\w.-]{1,120}:\d+\] )/;

/** Carriage returns are shown as they are escaped. */
export const LINE_END = /(?:\\r|\s){1,8}$/;

/** At most `limit` characters, more where the match itself is longer, but never more than twice as many. */
export function quoteLine(line: string, match: Span | null, limit: number): Quote {
  const flat = line.replaceAll('\t', ' ').replace(LINE_END, '');
  const { text, cut } = shortened(flat);
  // What was cut stands beside the line; where it is part of the match, all of it is shown.
  if (match === null) return window(text, null, limit);
  if (match.start < cut) return window(flat, match, limit);
  const shift = text.length - flat.length;
  return window(text, { start: match.start + shift, end: match.end + shift }, limit);
}

/** `cut`: places of the given line before this one have moved. */
function shortened(line: string): { readonly text: string; readonly cut: number } {
  const host = SYSLOG_HEAD.exec(line)?.[0].length ?? 0;
  const klog = KLOG_HEAD.exec(line.slice(host));
  if (klog === null) return { text: line.slice(host), cut: host };
  const cut = host + klog[0].length;
  return { text: `${klog.groups!['name'] ?? ''}${klog.groups!['level']} ${line.slice(cut)}`, cut };
}

function window(text: string, match: Span | null, limit: number): Quote {
  if (text.length <= limit) return { text, strong: match };
  if (match === null) return { text: clip(text, limit), strong: null };
  const length = match.end - match.start;
  const room = Math.min(Math.max(limit, length + 2), 2 * limit);
  const start = Math.max(
    0,
    Math.min(match.start - Math.max(1, Math.floor((room - length) / 2)), text.length - room + 1),
  );
  if (start === 0) return { text: clip(text, room), strong: within(match, room - 1) };
  const rest = wholeCharacters(text.slice(start + 1));
  const shift = text.length - rest.length - 1;
  return {
    text: clip(`…${rest}`, room),
    strong: within({ start: match.start - shift, end: match.end - shift }, room - 1),
  };
}

function within({ start, end }: Span, limit: number): Span | null {
  return start >= limit ? null : { start: Math.max(0, start), end: Math.min(end, limit) };
}
