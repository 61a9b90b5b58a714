// Before the last word: has everything that is followed brought up to date, for as long as the moment allows.
import { once } from 'node:events';
import type { Following } from '../../sources/live.ts';

const LIMIT_MS = 4_000;
/** systemd or the machine does not wait. */
const LIMIT_WHEN_STOPPED_MS = 300;

export async function makeSure(followed: Following, stop: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const timers = [setTimeout(() => enough.abort(), LIMIT_MS)];
  const hurry = (): void => void timers.push(setTimeout(() => enough.abort(), LIMIT_WHEN_STOPPED_MS));
  if (stop.aborted) hurry();
  else void once(stop, 'abort', { signal: enough.signal }).then(hurry, () => undefined);
  await followed.upToDate(enough.signal);
  for (const timer of timers) clearTimeout(timer);
  enough.abort();
}
