// Lets a loop sleep until something rings or a time comes, whichever is first, but never shorter than it wants.
import type { After } from '../../lib/after.ts';

export interface Alarm {
  ring(): void;
  /** Rings that nobody may wait for. */
  ringNow(): void;
  /** Resolves at the next ring, at once if it rang since the last call; not before `atLeastMs` and not after `atMostMs`. */
  next(atMostMs: number, atLeastMs: number): Promise<void>;
}

export function createAlarm(after: After): Alarm {
  let state: 'quiet' | 'rang' | 'now' = 'quiet';
  let resume: (() => void) | null = null;
  const wait = async (limitMs: number, isEnough: () => boolean): Promise<void> => {
    if (isEnough()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const callOff = after(limitMs, resolve);
    resume = () => isEnough() && resolve();
    await promise;
    callOff();
    resume = null;
  };
  const ring = (as: 'rang' | 'now'): void => {
    state = state === 'now' ? 'now' : as;
    resume?.();
  };
  return {
    ring: () => ring('rang'),
    ringNow: () => ring('now'),
    async next(atMostMs, atLeastMs) {
      await wait(atLeastMs, () => state === 'now');
      await wait(atMostMs - atLeastMs, () => state !== 'quiet');
      state = 'quiet';
    },
  };
}
