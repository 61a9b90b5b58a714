// Joins lines again that a window broke at its width: a line of the text's greatest width, and one that begins nothing.
import { breaksBehindColon, hasOwnHead, hasStamp, mayBeginLine } from './line-heads.ts';

const WIDTH_MIN = 60;
const WIDTH_MAX = 320;
/** Of the lines at full width, how many must have been broken. */
const BROKEN_SHARE = 0.7;
/** Of the lines that were not broken off, how many must begin like a log line: else nothing tells a line from a rest. */
const HEADED_SHARE = 0.3;
const PREFIX_CHARS = 8;
/** Widths that windows often have. */
const ROUND = /^(?:80|100|120|132|140|150|158|160|180|200|240|256)$/;

export function joinWrapped(lines: readonly string[]): readonly string[] | null {
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  if (width < WIDTH_MIN || width > WIDTH_MAX) return null;
  const full = lines.slice(0, lastFilled(lines)).flatMap((line, i) => (isFull(line, width) ? [i] : []));
  const broken = new Set<number>();
  for (const i of full) {
    const first = firstOf(i, broken);
    if (isRest(lines.slice(first, i + 1), lines[i + 1]!)) broken.add(i);
  }
  if (broken.size === 0 || broken.size < full.length * BROKEN_SHARE) return null;
  const starts = lines.filter((line, i) => line.trim() !== '' && !broken.has(i - 1));
  const headed = starts.filter((line) => hasOwnHead(line) || /^(?:\t| >$)/.test(line)).length;
  const isEvenlyBroken = starts.length === 1 && (broken.size > 1 || ROUND.test(String(width)) || headed === 1);
  if (
    !isEvenlyBroken &&
    (headed === 0 || headed < starts.length * HEADED_SHARE || (broken.size < 2 && starts.length > 3))
  )
    return null;
  const joined: string[] = [];
  for (const [i, line] of lines.entries())
    if (broken.has(i - 1))
      joined[joined.length - 1] += broken.size === 1 && breaksBehindColon(lines[i - 1]!, line) ? ` ${line}` : line;
    else joined.push(line);
  return joined;
}

/** Rulers and progress bars fill the width by themselves. */
function isFull(line: string, width: number): boolean {
  return line.length === width && /[A-Za-z].*[A-Za-z]/.test(line) && !/(?<char>[-=#*_.])\k<char>{19}/.test(line);
}

/** Where the line began of which this one is a part. */
function firstOf(index: number, broken: ReadonlySet<number>): number {
  let first = index;
  while (broken.has(first - 1)) first--;
  return first;
}

/** Lines that begin alike are lines of their own. Where a quote is still open, even what looks like a head is none. */
function isRest(parts: readonly string[], next: string): boolean {
  const first = parts[0]!;
  if (
    next.trim() === '' ||
    (next.length >= PREFIX_CHARS && next.slice(0, PREFIX_CHARS) === first.slice(0, PREFIX_CHARS))
  )
    return false;
  if (isCutBetween(first, parts.at(-1)!, next)) return true;
  return (
    !mayBeginLine(next, first) ||
    (MAY_BE_QUOTED.test(next) && !isMarkedLike(parts.at(-1)!, next) && isOpen(parts.join('')))
  );
}

/**
 * Broken where what follows looks like the beginning of a line: in the gap between two columns, behind a slash of a path, or before
 * the fields at a line's end. A screen whose rows are all filled up with blanks has no such gaps.
 */
function isCutBetween(first: string, last: string, next: string): boolean {
  const isTable = /\S {2,}\S/.test(last) && /^ {2,}\S.* {2,}\S/.test(next);
  const isGap =
    /^\S/.test(first) &&
    (last.endsWith(' ') || isTable) &&
    /^ {2,}\S.*(?<! )$/.test(next) &&
    !hasOwnHead(next.trimStart());
  const isPath = hasStamp(first) && /[\w.-]\/$/.test(last) && /^[a-z][\w-]{0,40}: /.test(next);
  // The metadata service names its versions by dates; no line begins with one and a slash.
  const isVersion = last.endsWith('/') && /^\d{4}-\d{2}-\d{2}\//.test(next);
  return isGap || isPath || isVersion || (/^[^\t]+\t/.test(first) && next.startsWith('\t{"'));
}

const MAY_BE_QUOTED = /^ ?(?:\d|\{"| )/;
const NUMBERED = /^\s{0,8}(?<number>\d{1,7})[:\t.)]/;

/** Indented alike, or numbered in a row. */
function isMarkedLike(line: string, next: string): boolean {
  const blanks = /^ {2,}/.exec(next)?.[0];
  if (blanks !== undefined && blanks === /^ {2,}/.exec(line)?.[0]) return true;
  const [a, b] = [NUMBERED.exec(line)?.groups, NUMBERED.exec(next)?.groups];
  return a !== undefined && b !== undefined && Number(b['number']) === Number(a['number']) + 1;
}

function isOpen(text: string): boolean {
  return (text.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1 || (text.startsWith('{') && !text.endsWith('}'));
}

function lastFilled(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== '');
}
