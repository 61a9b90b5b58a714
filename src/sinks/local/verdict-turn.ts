// The turn to say a verdict: runs of one boot take turns, so that each verdict has a number of its own.
import { within } from '../../lib/within.ts';
import { STATE_LIMIT_MS, TURN_LIMIT_MS } from '../limits.ts';
import { type EarlierVerdicts, readLastVerdict } from './earlier-verdicts.ts';
import { lockFolderWithin, type Unlock } from './folder-lock.ts';
import type { Places } from './places.ts';

export interface Turn {
  /** The next one of this boot; null where nobody can tell. */
  readonly sequence: number | null;
  /** To be called once the verdict is written down. Never rejects. */
  readonly end: Unlock;
}

const NO_LOCK: Unlock = async () => {};

/** Where nothing can be locked or read in time it goes on without. Never rejects. */
export async function takeTurn(bootId: string | null, places: Places): Promise<Turn> {
  const locking = lockFolderWithin(places.run, 'turn', TURN_LIMIT_MS / 2).catch(() => null);
  const locked = await within(locking, TURN_LIMIT_MS / 2);
  if (locked.late) void locking.then((unlock) => unlock?.());
  const end = locked.late ? NO_LOCK : (locked.value ?? NO_LOCK);
  const read = await within(readLastVerdict(bootId, places), TURN_LIMIT_MS / 2);
  return { sequence: read.late || read.value.last === null ? null : read.value.last.sequence + 1, end };
}

/** What was said in this boot before this run. Never rejects. */
export async function saidBefore(bootId: string | null, places: Places): Promise<EarlierVerdicts> {
  const read = await within(readLastVerdict(bootId, places), STATE_LIMIT_MS);
  return read.late ? { last: null, notes: [{ what: 'earlier verdicts', code: 'write-slow', detail: '' }] } : read.value;
}
