// One axis for all times of a capture: milliseconds of wall time, or since the boot where nothing links the two. The
// monotonic clock decides wherever a line gives it, since the wall clock may be stepped during boot.
import { isoInstant } from '../lib/instant.ts';
import type { LogRecord, MatchResult, MatchSummary, SourceSummary } from '../types.ts';

export interface Axis {
  /** Place of a record on the axis, null if it cannot be dated. */
  at(record: LogRecord): number | null;
  /** Does `a` stand before `b`? Undated records are compared within one input by their place; null if unknown. */
  isBefore(a: LogRecord, b: LogRecord): boolean | null;
  /** ISO time, or `+12.345s` since the boot; null if unknown. */
  format(ms: number | null): string | null;
  /** The last known moment of the input in which a record stands; null if unknown. */
  endOf(record: LogRecord): number | null;
  /** The last known moment of the capture; now on a live node. */
  readonly endMs: number | null;
  /** True on a live node, which is asked now. */
  readonly isLive: boolean;
  /** Place of the boot on the axis. */
  readonly bootMs: number | null;
}

export function createAxis(match: MatchResult, nowMs: number | null): Axis {
  const { bootWallMs } = match;
  const isLive = nowMs !== null;
  const hasMonotonic = match.sources.some((source) => source.lastMonotonicMs !== null);
  const sinceBoot =
    bootWallMs === null &&
    hasMonotonic &&
    match.sources.every((source) => source.lastWallMs === null || source.lastMonotonicMs !== null);

  function at({ time }: LogRecord): number | null {
    if (sinceBoot) return time.monotonicMs;
    if (time.monotonicMs !== null && bootWallMs !== null) return bootWallMs + time.monotonicMs;
    // A clock that was set forward leaves stamps from before the boot behind it; they would make every silence last for hours.
    return isLive && time.wallMs !== null && bootWallMs !== null ? Math.max(time.wallMs, bootWallMs) : time.wallMs;
  }

  function endsOf(sources: readonly SourceSummary[]): number[] {
    const ends = sources.flatMap((source) => {
      if (sinceBoot) return [source.lastMonotonicMs];
      const monotonic =
        source.lastMonotonicMs !== null && bootWallMs !== null ? bootWallMs + source.lastMonotonicMs : null;
      return [source.lastWallMs, monotonic];
    });
    return ends.filter((end): end is number => end !== null);
  }

  const known = endsOf(match.sources);
  return {
    at,
    isBefore(a, b) {
      const [x, y] = [at(a), at(b)];
      if (x !== null && y !== null && x !== y) return x < y;
      if (a.origin.source === b.origin.source && a.origin.offset !== null && b.origin.offset !== null)
        return a.origin.offset < b.origin.offset;
      return x !== null && y !== null ? false : null;
    },
    endOf({ origin }) {
      const ends = endsOf(match.sources.filter(({ source }) => source === origin.source));
      return ends.length === 0 ? null : Math.max(...ends);
    },
    format(ms) {
      if (ms === null) return null;
      return sinceBoot ? `+${(ms / 1000).toFixed(3)}s` : isoInstant(ms);
    },
    endMs: sinceBoot || nowMs === null ? (known.length === 0 ? null : Math.max(...known)) : nowMs,
    isLive,
    bootMs: sinceBoot ? 0 : bootWallMs,
  };
}

/** Time between the first and the last match, 0 if unknown. */
export function spanMs(axis: Axis, summary: MatchSummary): number {
  const [first, last] = [axis.at(summary.first), axis.at(summary.last)];
  return first === null || last === null ? 0 : last - first;
}
