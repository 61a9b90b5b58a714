// Keeps a watch on each folder in which a log may appear. Does not look for the logs: it only says that one should.
import { basename } from 'node:path';
import { type FolderWatch, type GlobSurvey, type Host, HostError } from '../../host/host.ts';
import type { SourceCode } from '../codes.ts';
import { rotationOf } from '../rotation.ts';

const FOLDERS_MAX = 256;

interface Watched {
  readonly watch: FolderWatch;
  names: readonly RegExp[];
}

export interface FolderEvents {
  /** A name came or went that matters. */
  changed(): void;
  note(what: string, code: SourceCode): void;
}

export class FollowedFolders {
  readonly #host: Host;
  readonly #events: FolderEvents;
  readonly #watched = new Map<string, Watched>();
  /** False if changes of some folders are not told. */
  isComplete = true;

  constructor(host: Host, events: FolderEvents) {
    this.#host = host;
    this.#events = events;
  }

  /** Watches the folders of the survey, and no others. True if one was not watched before: names that came since the survey were missed. */
  async update(survey: GlobSurvey): Promise<boolean> {
    const { folders } = survey;
    for (const path of this.#watched.keys()) if (!folders.has(path)) this.#drop(path);
    this.isComplete = true;
    let isNew = false;
    for (const [path, names] of folders)
      isNew = (await this.#keep(path, names, await survey.identityOf(path))) || isNew;
    return isNew;
  }

  close(): void {
    for (const path of this.#watched.keys()) this.#drop(path);
  }

  async #keep(path: string, names: readonly RegExp[], identity: string | null): Promise<boolean> {
    const watched = this.#watched.get(path);
    if (watched !== undefined) {
      watched.names = names;
      if (watched.watch.identity === identity) return false;
      this.#drop(path);
    }
    if (this.#watched.size >= FOLDERS_MAX) {
      this.#events.note('log folders', 'folder-limit');
      return false;
    }
    return this.#watch(path, names);
  }

  async #watch(path: string, names: readonly RegExp[]): Promise<boolean> {
    const matters = (name: string | null): boolean => {
      if (name === null || name === basename(path)) return true;
      const { stem } = rotationOf(name);
      return (this.#watched.get(path)?.names ?? names).some(
        (expression) => expression.test(name) || expression.test(stem),
      );
    };
    try {
      const watch = await this.#host.watchFolder(path, (name) => matters(name) && this.#events.changed());
      this.#watched.set(path, { watch, names });
      return true;
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (error.code !== 'watch-limit') return false;
      this.#events.note('log files', error.code);
      this.isComplete = false;
      return false;
    }
  }

  #drop(path: string): void {
    this.#watched.get(path)?.watch.close();
    this.#watched.delete(path);
  }
}
