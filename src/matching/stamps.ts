// Reads the time stamps of the log formats. All are taken as UTC where they name no zone, which is what EKS nodes use.
import type { StampClock } from './line-state.ts';

const MONTHS: Readonly<Record<string, number>> = {
  Jan: 0,
  Feb: 1,
  Mar: 2,
  Apr: 3,
  May: 4,
  Jun: 5,
  Jul: 6,
  Aug: 7,
  Sep: 8,
  Oct: 9,
  Nov: 10,
  Dec: 11,
};
const HALF_YEAR_MS = 183 * 86_400_000;

/** `2024-07-04T16:24:02.987888869Z`, `2024-03-20T15:00:46+0000`, `2024-09-12 12:57:56,263`; null if it is no such stamp. */
export function isoMs(stamp: string): number | null {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?\s?(?:Z|UTC|([+-])(\d\d):?(\d\d))?$/.exec(stamp); // oxlint-disable-line prefer-named-capture-group
  if (match === null) return null;
  const utc =
    Date.UTC(+match[1]!, +match[2]! - 1, +match[3]!, +match[4]!, +match[5]!, +match[6]!) + fractionMs(match[7]);
  if (match[8] === undefined) return utc;
  const offset = (Number(match[9]) * 60 + Number(match[10])) * 60_000;
  return match[8] === '+' ? utc - offset : utc + offset;
}

/** `Feb 14`, `10:44:19.123`: placed in the year that brings it nearest to the reference; null for a month it cannot read. */
export function yearlessMs(month: string, day: string, time: string, clock: StampClock): number | null {
  const m = MONTHS[month] ?? (/^\d{1,2}/.test(month) ? parseInt(month, 10) - 1 : undefined);
  if (m === undefined || m > 11) return null;
  const [h, min, s = '0'] = time.split(':') as [string, string, string?];
  const [whole, fraction] = s.split('.') as [string, string?];
  const year = new Date(clock.referenceMs).getUTCFullYear();
  const at = (y: number): number =>
    Date.UTC(y, m, Number(day), Number(h), Number(min), Number(whole)) + fractionMs(fraction);
  const placed = at(year);
  if (placed - clock.referenceMs > HALF_YEAR_MS) return at(year - 1);
  if (clock.referenceMs - placed > HALF_YEAR_MS) return at(year + 1);
  return placed;
}

function fractionMs(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(`0.${digits}`) * 1000;
}

const DATED_STAMP = /\b(?<stamp>20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d)/g;
const DATED_WORDS = /\b(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>20\d\d) (?<time>\d\d:\d\d:\d\d)/g;
const REALTIME_STAMP = /__REALTIME_TIMESTAMP"?[:=]"?(?<us>\d{15,17})/g;

/** The latest stamp with a year that stands in the text, null if there is none. Used to place stamps without one. */
export function latestDatedMs(text: string): number | null {
  let latest: number | null = null;
  const offer = (ms: number | null): void => {
    if (ms !== null && !Number.isNaN(ms) && (latest === null || ms > latest)) latest = ms;
  };
  for (const match of text.matchAll(REALTIME_STAMP)) offer(Number(match.groups!['us']) / 1000);
  if (latest !== null) return latest;
  for (const match of text.matchAll(DATED_STAMP)) offer(isoMs(match.groups!['stamp']!));
  if (latest !== null) return latest;
  for (const match of text.matchAll(DATED_WORDS)) {
    const { day, month, year, time } = match.groups as Record<string, string>;
    const m = MONTHS[month!];
    if (m !== undefined) offer(isoMs(`${year}-${String(m + 1).padStart(2, '0')}-${day!.padStart(2, '0')}T${time}`));
  }
  return latest;
}
