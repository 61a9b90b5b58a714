// Sees to it that one run watches a boot: a second one would say everything twice.
import { within } from '../../lib/within.ts';
import { WATCH_LOCK_LIMIT_MS } from '../../sinks/limits.ts';
import { lockFolderWithin, type Unlock } from '../../sinks/local/folder-lock.ts';
import type { Places } from '../../sinks/local/places.ts';

/** Null: another run watches. Where nothing can be written there is no lock, and the run goes on. Never rejects. */
export async function lockWatch({ run }: Places): Promise<Unlock | null> {
  const noLock: Unlock = async () => {};
  const locking = lockFolderWithin(run, 'watch', WATCH_LOCK_LIMIT_MS / 2).catch(() => noLock);
  const locked = await within(locking, WATCH_LOCK_LIMIT_MS);
  if (!locked.late) return locked.value;
  void locking.then((unlock) => unlock?.());
  return noLock;
}
