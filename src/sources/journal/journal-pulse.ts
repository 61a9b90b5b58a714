// Tells of new entries before journald does, by looking at what its file says is the newest: often while there is something to
// see, seldom in quiet. Reads no entry.
import { setTimeout as wait } from 'node:timers/promises';
import type { Host } from '../../host/host.ts';
import { JournalTail } from './journal-tail.ts';

/** A node that hangs is quiet, and has other things to do than to wake for us. */
const LIVELY_POLL_MS = 100;
const QUIET_POLL_MS = 250;
const QUIET_AFTER_MS = 10_000;
/** The file is being exchanged, or there is none. */
const ABSENT_POLL_MS = 1_000;
/** journald may write to another file by now, without a word in the old one. */
const SEARCH_MS = 10_000;

/** Until the signal is aborted. */
export async function feelPulse(host: Host, onBeat: () => void, signal: AbortSignal): Promise<void> {
  const nowMs = (): number => host.clock.monotonicMs();
  const tail = new JournalTail(host);
  let seen: number | null = null;
  let beatMs = nowMs();
  let searchedMs = nowMs();
  while (!signal.aborted) {
    const found = await tail.read();
    if (found !== null && found.number !== seen) {
      seen = found.number;
      beatMs = nowMs();
      onBeat();
    }
    const isSearchDue = found === null || nowMs() - searchedMs >= SEARCH_MS;
    if (isSearchDue) {
      searchedMs = nowMs();
      await tail.close();
    }
    const pauseMs = found === null ? ABSENT_POLL_MS : nowMs() - beatMs < QUIET_AFTER_MS ? LIVELY_POLL_MS : QUIET_POLL_MS;
    await wait(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  await tail.close();
}
