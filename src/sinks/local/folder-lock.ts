// A lock that a process holds on a folder of ours, and that is free again as soon as the process is gone. Who wants it leaves a
// file with its own name and then looks for others: of two that come at once each sees the other, or the later one the earlier.
import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFolder, openOwnFolder, type OwnFolder } from './own-folder.ts';
import { isAlive, ownToken } from './owner.ts';

const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
const FILE_MODE = 0o600;
export const RETRY_MS = 40;
/** Times so much the pause grows at most. */
const TRIES_APART_MAX = 5;

/** Never rejects: a lock that cannot be removed is free once this process is gone. */
export type Unlock = () => Promise<void>;

/** What this process holds: its files all carry one name. */
const held = new Set<string>();

/** Null: another one holds it, or came at the same moment. @throws DeliveryError if nothing can be written there */
export async function lockFolder(path: string, name: string): Promise<Unlock | null> {
  const mine = `.lock-${name}.${ownToken()}`;
  const key = `${path}/${mine}`;
  if (held.has(key)) return null;
  held.add(key);
  let isMine = false;
  try {
    isMine = await inFolder(await openOwnFolder(path), (folder) => announce(folder, name, mine));
  } finally {
    if (!isMine) held.delete(key);
  }
  return isMine ? () => unlock(path, mine, key) : null;
}

/** Tries until the limit. @throws DeliveryError as `lockFolder` does */
export async function lockFolderWithin(path: string, name: string, limitMs: number): Promise<Unlock | null> {
  const endMs = performance.now() + limitMs;
  for (let tries = 1; ; tries++) {
    const unlock = await lockFolder(path, name);
    if (unlock !== null || performance.now() >= endMs) return unlock;
    // Those that saw each other must not come back at the same moment, least of all where a look takes long.
    await sleep(RETRY_MS * (0.5 + Math.random() * Math.min(tries, TRIES_APART_MAX)));
  }
}

async function announce(folder: OwnFolder, name: string, mine: string): Promise<boolean> {
  const file = await open(folder.at(mine), O_WRONLY | O_CREAT | O_NOFOLLOW, FILE_MODE);
  await file.close();
  const start = `.lock-${name}.`;
  // All names, however many there are.
  const others = (await readdir(folder.at('.'))).filter((other) => other.startsWith(start) && other !== mine);
  const isFree = others.every((other) => !isAlive(other.slice(start.length)));
  await Promise.all((isFree ? others : [mine]).map((left) => rm(folder.at(left), { force: true })));
  return isFree;
}

async function unlock(path: string, mine: string, key: string): Promise<void> {
  try {
    await inFolder(await openOwnFolder(path), (folder) => rm(folder.at(mine), { force: true }));
  } catch {
    // The next one sees that its holder is gone.
  }
  held.delete(key);
}
