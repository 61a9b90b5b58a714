// Lists the folders in which globs may find something, and says which new names would change the answer. Opens no file.
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { globExpression, isGlob } from './glob.ts';
import type { GlobSurvey } from '../host.ts';
import { PlaceFinder } from './place-finder.ts';
import { WALK_DEPTH_MAX } from './walk-folder.ts';

const ENTRIES_MAX = 20_000;
const FOLDERS_MAX = 2_000;
/** Most folders are read by one call of the kernel. */
const BUFFERED_ENTRIES = 512;
const ANY_NAME = /^/;

/** Folders are named as seen from inside the root. Never throws: what cannot be listed holds nothing. `**` may only stand last. */
export async function surveyGlobs(root: string, globs: readonly string[]): Promise<GlobSurvey> {
  const survey = new Survey(root);
  for (const glob of globs) await survey.add(glob.split('/').filter((name) => name !== ''));
  return survey;
}

class Survey implements GlobSurvey {
  readonly listings = new Map<string, readonly string[]>();
  readonly folders = new Map<string, RegExp[]>();
  readonly #places: PlaceFinder;
  readonly #listed = new Map<string, readonly Dirent[]>();

  constructor(root: string) {
    this.#places = new PlaceFinder(root);
  }

  async identityOf(path: string): Promise<string | null> {
    return (this.folders.has(path) ? await this.#places.folder(path) : await this.#places.file(path))?.identity ?? null;
  }

  async add(names: readonly string[]): Promise<void> {
    let level = ['/'];
    for (const [at, name] of names.entries()) {
      if (name === '**') {
        await this.#addBelow(level, WALK_DEPTH_MAX);
        return;
      }
      const isLast = at === names.length - 1;
      const next: string[] = [];
      for (const folder of level) {
        if (isLast) await this.#addFiles(folder, globExpression(name));
        else if (isGlob(name)) next.push(...(await this.#foldersIn(folder, globExpression(name))));
        else if ((await this.#places.folder(join(folder, name)))?.isFolder === true) next.push(join(folder, name));
        else this.#watch(folder, globExpression(name));
      }
      level = next.slice(0, FOLDERS_MAX);
    }
  }

  async #addFiles(folder: string, expression: RegExp): Promise<void> {
    this.#watch(folder, expression);
    if (this.listings.has(folder)) return;
    const entries = await this.#list(folder);
    this.listings.set(
      folder,
      entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name),
    );
  }

  async #foldersIn(folder: string, expression: RegExp): Promise<string[]> {
    this.#watch(folder, expression);
    const entries = await this.#list(folder);
    return entries
      .filter((entry) => expression.test(entry.name) && (entry.isDirectory() || entry.isSymbolicLink()))
      .map(({ name }) => join(folder, name));
  }

  /** No link is followed on the way down. */
  async #addBelow(folders: readonly string[], depthMax: number): Promise<void> {
    let level = folders;
    for (let depth = 0; depth < depthMax && level.length > 0; depth++) {
      const next: string[] = [];
      for (const folder of level) {
        await this.#addFiles(folder, ANY_NAME);
        const entries = await this.#list(folder);
        next.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)));
      }
      level = next.slice(0, FOLDERS_MAX);
    }
  }

  #watch(folder: string, expression: RegExp): void {
    const expressions = this.folders.get(folder);
    if (expressions === undefined) this.folders.set(folder, [expression]);
    else expressions.push(expression);
  }

  async #list(folder: string): Promise<readonly Dirent[]> {
    const known = this.#listed.get(folder);
    if (known !== undefined) return known;
    const found: Dirent[] = [];
    this.#listed.set(folder, found);
    const place = await this.#places.folder(folder);
    if (place === null || !place.isFolder) return found;
    try {
      for await (const entry of await opendir(place.path, { bufferSize: BUFFERED_ENTRIES }))
        if (found.push(entry) >= ENTRIES_MAX) break;
    } catch {
      // Gone, or not ours to read.
    }
    return found;
  }
}

function join(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`;
}
