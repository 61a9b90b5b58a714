// The spool: verdicts on disk that a log service has yet to take, one file each. Several processes share it: who delivers an
// event has claimed it by renaming its file, and what a dead process claimed is free again. Ships nothing itself.
import { type FileHandle, lstat, rename, rm } from 'node:fs/promises';
import { DeliveryError } from '../codes.ts';
import { inFolder, openOwnFolder, type OwnFolder, placeFile, readOwnFile, sweep } from '../local/own-folder.ts';
import { isAlive, ownToken } from '../local/owner.ts';
import type { ShippedEvent } from '../shipping.ts';
import { decode, encode, type Entry, entryOf, plainName, SPOOL_FILE_MAX_BYTES } from './spool-file.ts';

export const SPOOL = 'spool';
export const SPOOL_MAX_BYTES = 16 * 1024 * 1024;

/** An event that nobody else delivers meanwhile. Neither call rejects: what fails here is delivered once more. */
export interface Claim {
  readonly order: number;
  readonly event: ShippedEvent;
  /** It was delivered. */
  remove(): Promise<void>;
  /** It was not. */
  release(): Promise<void>;
}

export interface Put {
  readonly claim: Claim;
  /** Interim events that had to go. */
  readonly dropped: number;
  /** The event outlives the process at once, a power cut only after this. Rejects as writing does. */
  readonly durable: Promise<void>;
}

export interface Claimed {
  /** Oldest first. */
  readonly claims: readonly Claim[];
  /** Files that were removed: damaged ones, and those of another instance. */
  readonly damaged: number;
  readonly foreign: number;
}

export interface Spool {
  /** The event comes back claimed. @throws DeliveryError `spool-full` if only final events are left, or what the disk says */
  put(event: ShippedEvent): Promise<Put>;
  /** Takes what nobody holds, oldest first. @throws DeliveryError */
  claim(request: { readonly before: number; readonly most: number }): Promise<Claimed>;
  /** How many events wait here, those that somebody holds included. @throws DeliveryError */
  count(): Promise<number>;
}

/** `instanceId`: events of another instance are not delivered (they came with an image); null: not known, then all are. */
export function createSpool(stateFolder: string, instanceId: () => string | null): Spool {
  const path = `${stateFolder}/${SPOOL}`;
  const held = new Set<string>();
  const inSpool = async <T>(work: (folder: OwnFolder) => Promise<T>): Promise<T> =>
    inFolder(await openOwnFolder(stateFolder), async (state) => inFolder(await openOwnFolder(state.at(SPOOL), path), work));
  const isFree = ({ name, owner }: Entry): boolean => owner === null || (owner === ownToken() ? !held.has(name) : !isAlive(owner));

  /** Null if somebody else was faster. */
  const take = async (folder: OwnFolder, entry: Entry): Promise<string | null> => {
    const claimed = `${plainName(entry)}.${ownToken()}`;
    held.add(claimed);
    try {
      await rename(folder.at(entry.name), folder.at(claimed));
      return claimed;
    } catch (error) {
      held.delete(claimed);
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };

  /** Drops the oldest interim events, never a final one. Keeps room for one file that another process may be adding. */
  const makeRoom = async (folder: OwnFolder, entries: readonly Entry[], bytes: number): Promise<number> => {
    const sizes = await Promise.all(entries.map(async ({ name }) => (await lstat(folder.at(name)).catch(() => null))?.size ?? 0));
    let room = SPOOL_MAX_BYTES - SPOOL_FILE_MAX_BYTES - sizes.reduce((sum, size) => sum + size, 0);
    let dropped = 0;
    for (const [at, entry] of entries.entries()) {
      if (room >= bytes) break;
      const name = !entry.final && isFree(entry) ? await take(folder, entry) : null;
      if (name === null) continue;
      await rm(folder.at(name), { force: true });
      held.delete(name);
      room += sizes[at]!;
      dropped++;
    }
    if (room < bytes) throw new DeliveryError('spool-full', folder.path);
    return dropped;
  };

  const claimOf = (entry: Entry, name: string, event: ShippedEvent): Claim => {
    const settle = async (change: (folder: OwnFolder) => Promise<void>): Promise<void> => {
      await inSpool(change).catch(() => undefined);
      held.delete(name);
    };
    return {
      order: entry.order,
      event,
      remove: () => settle((folder) => rm(folder.at(name), { force: true })),
      release: () => settle((folder) => rename(folder.at(name), folder.at(plainName(entry)))),
    };
  };

  const syncAll = async (file: FileHandle): Promise<void> => {
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await inSpool((folder) => folder.sync());
  };

  return {
    put: (event) =>
      inSpool(async (folder) => {
        const text = encode(event, instanceId());
        const entries = await survey(folder);
        const dropped = await makeRoom(folder, entries, Buffer.byteLength(text));
        const order = Math.max(0, ...entries.map((entry) => entry.order)) + 1;
        const entry: Entry = { name: '', order, id: event.id, final: event.final, owner: null };
        const name = `${plainName(entry)}.${ownToken()}`;
        held.add(name);
        const file = await placeFile(folder, name, text).catch((error: unknown) => {
          held.delete(name);
          throw error;
        });
        return { claim: claimOf(entry, name, event), dropped, durable: syncAll(file) };
      }),

    claim: ({ before, most }) =>
      inSpool(async (folder) => {
        const free = (await survey(folder)).filter((entry) => entry.order < before && isFree(entry));
        const claims: Claim[] = [];
        let damaged = 0;
        let foreign = 0;
        for (const entry of free) {
          if (claims.length === most) break;
          const name = await take(folder, entry);
          if (name === null) continue;
          const found = decode(await readOwnFile(folder, name, SPOOL_FILE_MAX_BYTES).catch(() => null), entry);
          const own = instanceId();
          const isForeign = found !== null && own !== null && found.instanceId !== null && found.instanceId !== own;
          if (found !== null && !isForeign) {
            claims.push(claimOf(entry, name, found.event));
            continue;
          }
          if (isForeign) foreign++;
          else damaged++;
          await rm(folder.at(name), { force: true, recursive: true });
          held.delete(name);
        }
        return { claims, damaged, foreign };
      }),

    count: () => inSpool(async (folder) => (await survey(folder)).length),
  };
}

/** Sorted by order. Leftovers of the dead are swept on the way. */
async function survey(folder: OwnFolder): Promise<Entry[]> {
  const names = await folder.list();
  await sweep(folder, names);
  return names
    .sort()
    .map(entryOf)
    .filter((entry) => entry !== null);
}
