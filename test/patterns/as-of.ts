// What was known of a capture at a moment of it, as far as the kept records tell.
import type { LogRecord, MatchResult, MatchSummary } from '../../src/types.ts';

/** `atMs`: Unix time in ms. */
export function asOf(result: MatchResult, atMs: number): MatchResult {
  return { ...result, matches: new Map([...result.matches].flatMap(([key, summary]) => ofSoFar(key, summary, atMs))) };
}

function ofSoFar(key: string, summary: MatchSummary, atMs: number): [string, MatchSummary][] {
  const wallMs = ({ time }: LogRecord): number => time.wallMs ?? Infinity;
  const all = [summary.first, ...summary.firstRecords, ...summary.lastRecords, summary.last];
  const records = [...new Set(all)]
    .filter((record) => wallMs(record) <= atMs)
    .toSorted((a, b) => wallMs(a) - wallMs(b));
  if (records.length === 0) return [];
  const count = wallMs(summary.last) <= atMs ? summary.count : records.length;
  const kept = {
    first: records[0]!,
    last: records.at(-1)!,
    firstRecords: records.slice(0, 3),
    lastRecords: records.slice(-3),
  };
  return [[key, { ...summary, ...kept, count, times: summary.times.filter((ms) => ms <= atMs) }]];
}
