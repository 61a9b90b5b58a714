// Lists what stands below a folder: no link is followed, depth and number of entries are bounded.
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderEntry, FolderWalk, RefusalCode } from '../host.ts';
import { refuseStuckMount } from './mount-guard.ts';
import { refusePseudo } from './pseudo.ts';
import { kindOfStats, refusalOf } from './refusal.ts';

export const WALK_DEPTH_MAX = 12;
export const WALK_ENTRIES_MAX = 20_000;
/** Each waits with a request of its own. */
const LOOKED_AT_ONCE = 64;

/** Broad before deep, so that a limit costs the deepest entries. Never throws: what cannot be listed is in `refused`. */
export async function walkFolder(
  folder: string,
  depthMax: number = WALK_DEPTH_MAX,
  entriesMax: number = WALK_ENTRIES_MAX,
): Promise<FolderWalk> {
  const entries: FolderEntry[] = [];
  const refused: { path: string; code: RefusalCode }[] = [];
  let seen = 0;
  let depthReached = false;
  let level = [''];
  for (let depth = 0; level.length > 0 && seen < entriesMax; depth++) {
    if (depth === depthMax) {
      depthReached = true;
      break;
    }
    const next: string[] = [];
    for (const inner of level) {
      try {
        const listed = await list(join(folder, inner), entriesMax - seen);
        seen += listed.length;
        const pathOf = ({ name }: Dirent): string => (inner === '' ? name : `${inner}/${name}`);
        next.push(...listed.filter((entry) => entry.isDirectory()).map(pathOf));
        const files = listed.filter((entry) => !entry.isDirectory());
        for (let at = 0; at < files.length; at += LOOKED_AT_ONCE)
          await Promise.all(files.slice(at, at + LOOKED_AT_ONCE).map((entry) => look(pathOf(entry))));
      } catch (error) {
        refused.push({ path: inner, code: refusalOf(error, inner).code });
      }
    }
    level = next;
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { entries, refused, depthReached, entriesReached: seen >= entriesMax };

  async function look(path: string): Promise<void> {
    try {
      entries.push(await entryAt(join(folder, path), path));
    } catch (error) {
      refused.push({ path, code: refusalOf(error, path).code });
    }
  }
}

/** What stands at `path`, to be named `name`. Follows no link. */
export async function entryAt(path: string, name: string): Promise<FolderEntry> {
  await refuseStuckMount(path);
  const stats = await lstat(path);
  return { path: name, kind: kindOfStats(stats), sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
}

async function list(folder: string, max: number): Promise<Dirent[]> {
  const found: Dirent[] = [];
  if (max <= 0) return found;
  await refusePseudo(folder);
  for await (const entry of await opendir(folder)) {
    found.push(entry);
    if (found.length >= max) break;
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
