// The turn to say a verdict: runs of one boot take turns, and each knows what was said before its own.
import { parseObject } from '../../lib/parse-json.ts';
import { within, withinSignal } from '../../lib/within.ts';
import type { SaidInBoot } from '../../types.ts';
import { STATE_LIMIT_MS, TURN_LIMIT_MS, TURN_LIMIT_WHEN_STOPPED_MS } from '../limits.ts';
import { createSpool } from '../spool/spool.ts';
import { lockFolderWithin, type Unlock } from './folder-lock.ts';
import { inFolder, openExistingFolder, openOwnFolder, placeFile, readOwnFile } from './own-folder.ts';
import type { Places } from './places.ts';
import { latest, saidIn } from './said-file.ts';

export interface Turn {
  /** What was said in this boot so far; null: nothing, or nobody can tell. */
  readonly said: SaidInBoot | null;
  /** To be called once the verdict is written down. Never rejects. */
  readonly end: Unlock;
}

const NO_LOCK: Unlock = async () => {};
const SAID = 'said.json';
const SAID_MAX_BYTES = 64 * 1024;

/** Where nothing can be locked or read in time it goes on without. Never rejects. */
export async function takeTurn(bootId: string | null, places: Places, stop: AbortSignal): Promise<Turn> {
  const shortMs = TURN_LIMIT_WHEN_STOPPED_MS / 2;
  const locking = lockFolderWithin(places.run, 'turn', TURN_LIMIT_MS).catch(() => null);
  const locked = await withinSignal(locking, stop, shortMs);
  if (locked.late) void locking.then((unlock) => unlock?.());
  const end = locked.late ? NO_LOCK : (locked.value ?? NO_LOCK);
  const read = await within(saidBefore(bootId, places), stop.aborted ? shortMs : STATE_LIMIT_MS);
  return { said: read.late ? null : read.value, end };
}

/** What was said in this boot by all runs. Never rejects, and may take as long as a stuck disk. */
export async function saidBefore(bootId: string | null, places: Places): Promise<SaidInBoot | null> {
  if (bootId === null) return null;
  const files = await Promise.all([
    createSpool(places.state)
      .said(bootId)
      .catch(() => null),
    readSaid(places.run).catch(() => null),
  ]);
  return latest(files.filter((said) => said?.bootId === bootId));
}

/** For where there is no spool, or its disk takes nothing. @throws DeliveryError */
export async function writeSaid(said: SaidInBoot, { run }: Places): Promise<void> {
  await inFolder(await openOwnFolder(run), async (own) => {
    const file = await placeFile(own, SAID, `${JSON.stringify(said)}\n`);
    await file.close();
  });
}

async function readSaid(run: string): Promise<SaidInBoot | null> {
  const read = await inFolder(await openExistingFolder(run), (own) => readOwnFile(own, SAID, SAID_MAX_BYTES));
  return read?.whole === true ? saidIn(parseObject(read.text)) : null;
}
