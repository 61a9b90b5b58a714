// Lets a loop sleep until something rings or a time comes, whichever is first, but never shorter than it wants.

export interface Wake {
  ring(): void;
  /** Rings that nobody may wait for. */
  ringNow(): void;
  /** Resolves at the next ring, at once if it rang since the last call; not before `atLeastMs` and not after `atMostMs`. */
  next(atMostMs: number, atLeastMs: number): Promise<void>;
}

export function createWake(): Wake {
  let state: 'quiet' | 'rang' | 'now' = 'quiet';
  let resume: (() => void) | null = null;
  const wait = async (limitMs: number, isEnough: () => boolean): Promise<void> => {
    if (isEnough()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    resume = () => isEnough() && resolve();
    await promise;
    clearTimeout(timer);
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
