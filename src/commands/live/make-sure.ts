// Before the last word: has everything that is followed brought up to date, for as long as the moment allows.
import { once } from 'node:events';
import { SURE_LIMIT_WHEN_STOPPED_MS } from '../../sinks/limits.ts';
import type { Following } from '../../sources/live.ts';

const LIMIT_MS = 4_000;

export async function makeSure(followed: Following, stop: AbortSignal): Promise<void> {
  const enough = new AbortController();
  const timers = [setTimeout(() => enough.abort(), LIMIT_MS)];
  const hurry = (): void => void timers.push(setTimeout(() => enough.abort(), SURE_LIMIT_WHEN_STOPPED_MS));
  if (stop.aborted) hurry();
  else void once(stop, 'abort', { signal: enough.signal }).then(hurry, () => undefined);
  await followed.upToDate(enough.signal);
  for (const timer of timers) clearTimeout(timer);
  enough.abort();
}
