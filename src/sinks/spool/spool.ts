// The spool: verdicts on disk that a log service has yet to take, one file each. Anybody may put one in; who takes them out to
// deliver holds its lock. Ships nothing itself.
import { type FileHandle, lstat, rm } from 'node:fs/promises';
import { DeliveryError } from '../codes.ts';
import { lockFolder, type Unlock } from '../local/folder-lock.ts';
import { inFolder, openOwnFolder, type OwnFolder, placeFile, readOwnFile, sweep } from '../local/own-folder.ts';
import type { ShippedEvent } from '../shipper.ts';
import { decode, encode, type Entry, entryOf, nameOf, SPOOL_FILE_MAX_BYTES } from './spool-file.ts';

export const SPOOL = 'spool';
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
  /** Never rejects: what stays is delivered once more. */
  remove(names: readonly string[]): Promise<void>;
  /** How many events wait here. @throws DeliveryError */
  count(): Promise<number>;
}

export function createSpool(stateFolder: string): Spool {
  const path = `${stateFolder}/${SPOOL}`;
  const inSpool = async <T>(work: (folder: OwnFolder) => Promise<T>): Promise<T> =>
    inFolder(await openOwnFolder(stateFolder), async (state) =>
      inFolder(await openOwnFolder(state.at(SPOOL), path), work),
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
      inSpool(async (folder) => {
        await Promise.all(names.map((name) => rm(folder.at(name), { force: true })));
      }).catch(() => undefined),
    count: () => inSpool(async (folder) => (await survey(folder)).length),
  };
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
