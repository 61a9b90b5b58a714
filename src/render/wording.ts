// Words times, durations and amounts for people, and shortens long lines.
import type { EvidenceContext } from '../types.ts';

const MS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The other kind of time: seconds since the boot, where no clock was right. */
export const SINCE_BOOT = /^\+(?<seconds>\d+(?:\.\d+)?)s$/;

/** `10:44:52Z` on the day of the reference, else `2023-02-14 10:44:52Z`; `+12.345s` after the boot stays as it is. */
export function clock(iso: string | null, reference: string | null): string {
  if (iso === null) return 'time unknown';
  if (SINCE_BOOT.test(iso)) return iso;
  const [date, time = ''] = iso.split('T') as [string, string?];
  const short = `${time.slice(0, 8)}Z`;
  return reference?.startsWith(date) ? short : `${date} ${short}`;
}

/** `850 ms`, `12 s`, `4 min 5 s`, `2 h 3 min`, `5 d 2 h`. */
export function duration(ms: number): string {
  if (ms < MS.second) return `${Math.round(ms)} ms`;
  if (ms < MS.minute) return `${Math.round(ms / MS.second)} s`;
  if (ms < MS.hour) return pair(ms, 'minute', 'min', 'second', 's');
  return ms < MS.day ? pair(ms, 'hour', 'h', 'minute', 'min') : pair(ms, 'day', 'd', 'hour', 'h');
}

function pair(
  ms: number,
  large: keyof typeof MS,
  largeName: string,
  small: keyof typeof MS,
  smallName: string,
): string {
  const whole = Math.floor(ms / MS[large]);
  const rest = Math.floor((ms % MS[large]) / MS[small]);
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`;
}

/** Ms between two times of one kind, never negative; null if one is unknown. */
export function between(from: string | null, to: string | null): number | null {
  if (from === null || to === null || SINCE_BOOT.test(from) !== SINCE_BOOT.test(to)) return null;
  return Math.max(0, millis(to) - millis(from));
}

/** Ms of an ISO time since 1970, of `+12.345s` since the boot. */
export function millis(time: string): number {
  const seconds = SINCE_BOOT.exec(time)?.groups?.['seconds'];
  return seconds === undefined ? Date.parse(time) : Number(seconds) * 1000;
}

/** At most `limit` characters, with `…` where something was cut at the end. */
export function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${wholeCharacters(text.slice(0, limit - 1))}…`;
}

/** What the lines beside a quoted one are called. */
export function besideWords({ before, after }: EvidenceContext): string {
  const sides = [`${before.length} before`, `${after.length} after`].filter((side) => !side.startsWith('0'));
  return `With the lines beside it: ${sides.join(', ')}`;
}

/** Drops half of a surrogate pair at either end. */
export function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
