// Waits for something that nobody announces, by asking again and again within a limit.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * The first answer that is neither null nor false.
 * @throws Error naming what was waited for, once `limitMs` have passed.
 */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => T | null | false | Promise<T | null | false>,
): Promise<T> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > endMs) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await sleep(PAUSE_MS);
  }
}
