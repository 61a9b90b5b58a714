// The one way from a number of milliseconds to a moment and its text: total, since stamps come from files that anyone may write.

/** What `Date` can tell: 100 million days on either side of 1970. */
const FARTHEST_MS = 8.64e15;

/** The moment, null where the number is none: not finite, or farther away than any calendar goes. */
export function instantMs(ms: number | null): number | null {
  return ms !== null && Math.abs(ms) <= FARTHEST_MS ? ms : null;
}

/** ISO 8601 in UTC, null where it is no moment. Never throws. */
export function isoInstant(ms: number | null): string | null {
  const instant = instantMs(ms);
  return instant === null ? null : new Date(instant).toISOString();
}
