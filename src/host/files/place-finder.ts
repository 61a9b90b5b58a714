// Finds what paths below a root lead to, links followed inside the root. Asks for each folder once, since paths share most of
// their parts: it serves one look at the machine and is then thrown away.
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { refuseStuckMount } from './mount-guard.ts';
import { resolveBelow } from './resolve-below.ts';

export interface Place {
  /** Without links; of the machine, not of the root. */
  readonly path: string;
  /** Device and inode. */
  readonly identity: string;
  readonly isFolder: boolean;
}

export class PlaceFinder {
  readonly #root: string;
  readonly #folders = new Map<string, Promise<Place | null>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Null if nothing is there, or it cannot be reached. Remembered. */
  folder(path: string): Promise<Place | null> {
    const place = this.#folders.get(path) ?? this.file(path);
    this.#folders.set(path, place);
    return place;
  }

  /** The same for what is to be looked at anew each time. */
  async file(path: string): Promise<Place | null> {
    try {
      if (path === '/') return placeOf(`${this.#root}/`, await lstat(`${this.#root}/`, { bigint: true }));
      const parent = await this.folder(dirname(path));
      if (parent === null) return null;
      const real = `${parent.path.replace(/\/$/, '')}/${basename(path)}`;
      await refuseStuckMount(real);
      const stats = await lstat(real, { bigint: true });
      if (!stats.isSymbolicLink()) return placeOf(real, stats);
      const target = this.#root + (await resolveBelow(this.#root, path));
      return placeOf(target, await lstat(target, { bigint: true }));
    } catch {
      return null;
    }
  }
}

function placeOf(path: string, stats: BigIntStats): Place {
  return { path, identity: `${stats.dev}:${stats.ino}`, isFolder: stats.isDirectory() };
}
