// When this machine booted, by its wall clock as it is now.
import type { Clock } from '../../host/host.ts';

/** Unix time in ms. It moves when the clock is set. */
export function bootWallMs(clock: Clock): number {
  return clock.wallMs() - clock.monotonicMs();
}

/** The earliest that the clock ever told, since it may be set while the node boots. */
export function earliestBootWallMs(clock: Clock): () => number {
  const first = bootWallMs(clock);
  return () => Math.min(first, bootWallMs(clock));
}
