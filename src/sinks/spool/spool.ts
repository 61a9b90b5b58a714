// The spool: verdicts on disk that a log service has yet to take, one file each. Anybody may put one in; who takes them out to
// deliver holds its lock. Ships nothing itself.
import { type FileHandle, lstat, rename, rm } from 'node:fs/promises';
import type { SaidInBoot } from '../../types.ts';
import { DeliveryError } from '../codes.ts';
import { lockFolder, type Unlock } from '../local/folder-lock.ts';
import { inFolder, openOwnFolder, type OwnFolder, placeFile, readOwnFile, sweep } from '../local/own-folder.ts';
import { latest } from '../local/said-file.ts';
import type { ShippedEvent } from '../shipper.ts';
import { decode, encode, type Entry, entryOf, nameOf, saidWith, SPOOL_FILE_MAX_BYTES } from './spool-file.ts';

export const SPOOL = 'spool';
/** Beside the spool: the event that was delivered last, so that nobody says again what went out before its process was gone. */
const DELIVERED = 'delivered';
export const SPOOL_MAX_BYTES = 16 * 1024 * 1024;

export interface Put {
  /** To be removed by, once it is delivered. */
  readonly name: string;
  /** Interim events that had to go. */
  readonly dropped: number;
  /** The event outlives the process at once, a power cut only after this. Rejects as writing does. */
  readonly durable: Promise<void>;
}

export interface Waiting {
  readonly name: string;
  readonly event: ShippedEvent;
}

export interface Listed {
  /** Oldest first. */
  readonly waiting: readonly Waiting[];
  /** Files that were removed: damaged ones, and those of another instance. */
  readonly damaged: number;
  readonly foreign: number;
}

export interface Spool {
  /** @throws DeliveryError `spool-full` if only final events are left, or what the disk says */
  put(event: ShippedEvent): Promise<Put>;
  /** For as long as what waits is delivered, so that nobody else does it meanwhile. Null: somebody else does now. @throws DeliveryError */
  lock(): Promise<Unlock | null>;
  /** `instanceId`: events of another one go; null: not known, then all count. @throws DeliveryError */
  oldest(request: {
    readonly most: number;
    readonly except: ReadonlySet<string>;
    readonly instanceId: string | null;
  }): Promise<Listed>;
  /** After the delivery of these. Never rejects: what stays is delivered once more. */
  remove(names: readonly string[]): Promise<void>;
  /** All that was said in this boot, by what waits here and what went out last; null if nothing was. @throws DeliveryError */
  said(bootId: string): Promise<SaidInBoot | null>;
  /** How many events wait here. @throws DeliveryError */
  count(): Promise<number>;
}

export function createSpool(stateFolder: string): Spool {
  const path = `${stateFolder}/${SPOOL}`;
  const inSpool = async <T>(work: (folder: OwnFolder, state: OwnFolder) => Promise<T>): Promise<T> =>
    inFolder(await openOwnFolder(stateFolder), async (state) =>
      inFolder(await openOwnFolder(state.at(SPOOL), path), (folder) => work(folder, state)),
    );

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
        const text = encode(event);
        const entries = await survey(folder);
        const dropped = await makeRoom(folder, entries, Buffer.byteLength(text));
        const name = nameOf({
          order: Math.max(0, ...entries.map(({ order }) => order)) + 1,
          id: event.id,
          final: event.final,
        });
        return { name, dropped, durable: syncAll(await placeFile(folder, name, text)) };
      }),
    lock: () => lockFolder(stateFolder, SPOOL),
    oldest: (request) => inSpool((folder) => listOldest(folder, request)),
    remove: (names) =>
      inSpool(async (folder, state) => {
        for (const name of names.toSorted()) await takeOut(folder, name, state);
      }).catch(() => undefined),
    said: (bootId) =>
      inSpool(async (folder, state) => {
        const out = await saidBy(state, DELIVERED);
        // The newest of a boot knows of all before it.
        for (const { name } of (await survey(folder)).toReversed()) {
          const said = await saidBy(folder, name);
          if (said?.bootId === bootId) return latest([said, out?.bootId === bootId ? out : null]);
        }
        return out?.bootId === bootId ? out : null;
      }),
    count: () => inSpool(async (folder) => (await survey(folder)).length),
  };
}

/** In one step, so that it is always known from one place or the other. */
async function takeOut(folder: OwnFolder, name: string, state: OwnFolder): Promise<void> {
  const [mine, out] = [await saidBy(folder, name), await saidBy(state, DELIVERED)];
  const isNews = mine !== null && (out?.bootId !== mine.bootId || mine.step > out.step);
  if (
    isNews &&
    (await rename(folder.at(name), state.at(DELIVERED)).then(
      () => true,
      () => false,
    ))
  )
    return;
  await rm(folder.at(name), { force: true });
}

async function saidBy(folder: OwnFolder, name: string): Promise<SaidInBoot | null> {
  const read = await readOwnFile(folder, name, SPOOL_FILE_MAX_BYTES).catch(() => null);
  return read?.whole === true ? saidWith(read.text) : null;
}

async function listOldest(
  folder: OwnFolder,
  { most, except, instanceId }: Parameters<Spool['oldest']>[0],
): Promise<Listed> {
  const waiting: Waiting[] = [];
  let damaged = 0;
  let foreign = 0;
  for (const entry of await survey(folder)) {
    if (waiting.length === most) break;
    if (except.has(entry.name)) continue;
    const event = decode(await readOwnFile(folder, entry.name, SPOOL_FILE_MAX_BYTES).catch(() => null), entry);
    const isForeign =
      event !== null && instanceId !== null && event.instanceId !== null && event.instanceId !== instanceId;
    if (event !== null && !isForeign) {
      waiting.push({ name: entry.name, event });
      continue;
    }
    if (isForeign) foreign++;
    else damaged++;
    await rm(folder.at(entry.name), { force: true, recursive: true });
  }
  return { waiting, damaged, foreign };
}

/** Drops the oldest interim events, never a final one. Keeps room for one file that another process may be adding. */
async function makeRoom(folder: OwnFolder, entries: readonly Entry[], bytes: number): Promise<number> {
  const sizes = await Promise.all(
    entries.map(async ({ name }) => (await lstat(folder.at(name)).catch(() => null))?.size ?? 0),
  );
  let room = SPOOL_MAX_BYTES - SPOOL_FILE_MAX_BYTES - sizes.reduce((sum, size) => sum + size, 0);
  let dropped = 0;
  for (const [at, { name, final }] of entries.entries()) {
    if (room >= bytes) break;
    if (final) continue;
    await rm(folder.at(name), { force: true });
    room += sizes[at]!;
    dropped++;
  }
  if (room < bytes) throw new DeliveryError('spool-full', folder.path);
  return dropped;
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
