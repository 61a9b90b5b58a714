// A line as a container's log keeps it, which has room for the time that an export gave beside the message.
import { isoInstant } from '../../../lib/instant.ts';
import { hasOwnHead } from './line-heads.ts';

/** A message that has a head of its own needs no other; of several lines only the first gets one. */
export function stampedLine(message: string, wallMs: number | null): string {
  const text = message.replace(/\r?\n$/, '');
  const stamp = isoInstant(wallMs);
  return stamp === null || hasOwnHead(text) ? text : `${stamp} stdout F ${text}`;
}

const STAMP = /^20\d\d-\d\d-\d\dT[\d:.]{8,14}Z stdout F /;

/** Works on the messages alone; each keeps its stamp, and joined lines that of the first, unless they have heads now. */
export function besideStamps(
  undo: (lines: readonly string[]) => readonly string[] | null,
): (lines: readonly string[]) => readonly string[] | null {
  return (lines) => {
    const stamps = lines.map((line) => STAMP.exec(line)?.[0] ?? '');
    const undone = undo(lines.map((line, i) => line.slice(stamps[i]!.length)));
    if (undone === null) return null;
    const isEach = undone.length === lines.length;
    return undone.map((line, i) => (hasOwnHead(line) ? line : `${isEach || i === 0 ? stamps[i]! : ''}${line}`));
  };
}

/** Unix time in ms of what exports write: seconds, ms, ns as digits, or an ISO stamp. */
export function exportedTime(value: unknown): number | null {
  if (typeof value === 'string' && !/^\d{10,19}(?:\.\d+)?$/.test(value)) {
    const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value.replace(' ', 'T')}Z`);
    return Number.isNaN(ms) ? null : ms;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const number = Number(value);
  if (number > 1e17) return number / 1e6;
  if (number > 1e14) return number / 1e3;
  return number > 1e11 ? number : number * 1000;
}
