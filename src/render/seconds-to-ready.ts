// How long the boot took, as far as it went.
import type { RedactedVerdict } from '../types.ts';

/** From boot to Ready, or to this verdict while the node is not Ready; null if the time of the boot is not known. */
export function secondsToReady({ status, at, uptimeSeconds, timeline }: RedactedVerdict): number | null {
  if (status !== 'ready' || at === null || uptimeSeconds === null) return uptimeSeconds;
  const ends = timeline.flatMap(({ startedAt, seconds }) =>
    startedAt === null || seconds === null ? [] : [Date.parse(startedAt) + seconds * 1000],
  );
  if (ends.length === 0) return uptimeSeconds;
  const sinceReadySeconds = (Date.parse(at) - Math.max(...ends)) / 1000;
  return Math.min(uptimeSeconds, Math.max(0, Math.round(uptimeSeconds - sinceReadySeconds)));
}
