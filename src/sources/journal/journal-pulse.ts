// Tells of new entries before journald does, by looking at what its file says is the newest: often while there is something to
// see, seldom in quiet. Reads no entry.
import type { Host } from '../../host/host.ts';
import { JournalTail } from './journal-tail.ts';

const LIVELY_POLL_MS = 100;
/** A node that hangs is quiet, and has other things to do than to wake for us: a look takes some 0.4 ms, most of it for waking. */
const QUIET_POLL_MS = 350;
const QUIET_AFTER_MS = 10_000;
/** The file is being exchanged, or there is none. */
const ABSENT_POLL_MS = 1_000;
/** journald may write to another file by now, without a word in the old one. */
const SEARCH_MS = 30_000;

/** Resolves once the signal was aborted and the file is closed. */
export function feelPulse(host: Host, onBeat: () => void, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const over = Promise.withResolvers<void>();
  const nowMs = (): number => host.clock.monotonicMs();
  const tail = new JournalTail(host);
  let seen = -1;
  let beatMs = nowMs();
  let searchedMs = beatMs;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    timer = undefined;
    const found = await tail.read();
    if (isOver) return tail.close();
    const atMs = nowMs();
    if (found !== null && found.number !== seen) {
      seen = found.number;
      beatMs = atMs;
      onBeat();
    }
    if (atMs - searchedMs >= SEARCH_MS) {
      searchedMs = atMs;
      await tail.close();
    }
    // A plain timer: one that can be aborted costs more than the look.
    timer = setTimeout(
      () => void look().then(endIfOver),
      found === null ? ABSENT_POLL_MS : atMs - beatMs < QUIET_AFTER_MS ? LIVELY_POLL_MS : QUIET_POLL_MS,
    );
  };
  const endIfOver = (): void => {
    if (!isOver) return;
    clearTimeout(timer);
    void tail.close().then(over.resolve);
  };
  signal.addEventListener(
    'abort',
    () => {
      isOver = true;
      if (timer !== undefined) endIfOver();
    },
    { once: true },
  );
  void look().then(endIfOver);
  return over.promise;
}
