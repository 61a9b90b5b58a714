// Finds the log files that globs name, time after time, and gives each path's files to be read in their order. Reads nothing but
// the first bytes of rotated files, to tell those that were missed from copies.
import { type FollowedFile, type GlobSurvey, type Host, HostError } from '../../host/host.ts';
import type { StreamTable } from '../../types.ts';
import { FollowedFolders } from './folder-watches.ts';
import { FileGeneration } from './followed-file.ts';
import { NameSorter, type RotatedName } from './log-names.ts';
import { FollowNotes } from './follow-notes.ts';
import { FollowedPath } from './rotated-files.ts';
import { readHead } from './fingerprint.ts';
import type { LiveEvents } from '../live.ts';
import { streamOfPath } from '../stream-of-path.ts';

const FILES_MAX = 64;
/** The time of a file lags behind the clock by up to one tick of the kernel. */
const MTIME_LAG_MS = 100;
const DONE_MAX = 4096;
/** A search is repeated for names that came before their folder was watched. */
const ROUNDS_MAX = 4;

export class FileSearch {
  readonly #host: Host;
  readonly #table: StreamTable;
  readonly #globs: readonly string[];
  readonly #names: NameSorter;
  readonly #notes: FollowNotes;
  readonly #events: LiveEvents;
  readonly #onChange: () => void;
  readonly #folders: FollowedFolders;
  readonly #paths = new Map<string, FollowedPath>();
  /** By identity. */
  readonly #generations = new Map<string, FileGeneration>();
  /** Identities of rotated files that are not to be read: older than the search, copies, or read already. */
  readonly #done = new Set<string>();
  #isFirst = true;
  #opening = 0;
  readonly #sinceMs: number;

  /** `onChange`: a search would find something new. */
  constructor(host: Host, table: StreamTable, globs: readonly string[], events: LiveEvents, onChange: () => void) {
    this.#host = host;
    this.#table = table;
    this.#globs = globs;
    this.#names = new NameSorter(table, globs);
    this.#notes = new FollowNotes((note) => events.note(note));
    this.#events = events;
    this.#onChange = onChange;
    this.#sinceMs = host.clock.wallMs() - MTIME_LAG_MS;
    this.#folders = new FollowedFolders(host, { changed: onChange, note: (what, code) => this.#notes.add(what, code) });
  }

  /** False if some changes are only found by looking. */
  get isToldOfAll(): boolean {
    return this.#folders.isComplete && ![...this.#generations.values()].some(({ isUnwatched }) => isUnwatched);
  }

  /** Never throws: what goes wrong is noted. */
  async run(): Promise<void> {
    try {
      await this.#run();
    } catch (error) {
      this.#notes.add('log files', 'read-failed', String(error));
    }
    this.#isFirst = false;
  }

  async #run(): Promise<void> {
    const survey = await this.#survey();
    const { live, rotated } = this.#names.sort(survey);
    const opened = new Map<string, FileGeneration>();
    await Promise.all(
      live.map(async (path) => {
        const generation = await this.#visit(path, survey);
        if (generation !== null) opened.set(path, generation);
      }),
    );
    for (const file of rotated) {
      const missed = await this.#missed(file, survey, opened.get(file.stem));
      if (missed === null) continue;
      if (opened.has(file.stem)) this.#pathOf(file.stem).follow(missed);
      else this.#pathOf(file.stem).followLate(missed);
    }
    for (const [path, generation] of opened) this.#pathOf(path).follow(generation);
    this.#partFrom(new Set(live));
  }

  /** Resolves when all that was found until now has been read as far as it went. */
  async readOut(): Promise<void> {
    await Promise.all([...this.#paths.values()].map((path) => path.readOut()));
  }

  /** Resolves when all that the files hold now was pushed, last lines without an end too. */
  async settle(): Promise<void> {
    await Promise.all([...this.#generations.values()].map((generation) => generation.settle()));
  }

  lookAtAll(): void {
    for (const generation of this.#generations.values()) generation.look();
  }

  async end(): Promise<void> {
    this.#folders.close();
    await Promise.all([...this.#generations.values()].map((generation) => generation.end()));
  }

  async #survey(): Promise<GlobSurvey> {
    let survey = await this.#host.surveyGlobs(this.#globs);
    for (let round = 1; round < ROUNDS_MAX && (await this.#folders.update(survey)); round++)
      survey = await this.#host.surveyGlobs(this.#globs);
    return survey;
  }

  #pathOf(path: string): FollowedPath {
    const followed = this.#paths.get(path) ?? new FollowedPath();
    this.#paths.set(path, followed);
    return followed;
  }

  /** The file that has the path now, if it is not followed yet. */
  async #visit(path: string, survey: GlobSurvey): Promise<FileGeneration | null> {
    const followed = this.#pathOf(path);
    const identity = await survey.identityOf(path);
    if (identity === null) followed.identity = null;
    if (identity === null || this.#isFollowed(followed, identity)) return null;
    followed.identity = null;
    const file = await this.#open(path);
    if (file === null) return null;
    if (this.#isFollowed(followed, file.identity)) {
      await file.close();
      return null;
    }
    followed.identity = file.identity;
    return this.#generation(path, file);
  }

  /** True for a file that is followed already, perhaps under another path that led to it. */
  #isFollowed(followed: FollowedPath, identity: string): boolean {
    const generation = this.#generations.get(identity);
    if (generation === undefined || generation.isEnded) return followed.identity === identity;
    followed.identity = identity;
    generation.comeBack();
    return true;
  }

  async #open(path: string): Promise<FollowedFile | null> {
    if (this.#generations.size + this.#opening >= FILES_MAX) {
      this.#notes.add('log files', 'follow-limit', path);
      return null;
    }
    this.#opening++;
    try {
      return await this.#host.followFile(path, this.#table.logFolders);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      // It was there a moment ago; a link that a star found may lead to a folder.
      const isOrdinary = error.code === 'missing' || (error.code === 'directory' && !this.#globs.includes(path));
      if (!isOrdinary) this.#notes.add(path, error.code, error.detail);
      return null;
    } finally {
      this.#opening--;
    }
  }

  /** A file that came to the path `stem` and lost it again before it was seen there; null for all others. */
  async #missed(
    { path, stem }: RotatedName,
    survey: GlobSurvey,
    coming: FileGeneration | undefined,
  ): Promise<FileGeneration | null> {
    const identity = await survey.identityOf(path);
    if (identity === null || this.#isKnown(identity)) return null;
    if (this.#isFirst) {
      this.#dismiss(identity);
      return null;
    }
    const file = await this.#open(path);
    if (file === null) return null;
    const isMissed = await this.#isMissed(file, stem, coming);
    if (isMissed === true) return this.#generation(stem, file);
    if (isMissed === false) this.#dismiss(file.identity);
    await file.close();
    return null;
  }

  /** Null if that cannot be told yet. */
  async #isMissed(file: FollowedFile, stem: string, coming: FileGeneration | undefined): Promise<boolean | null> {
    if (this.#isKnown(file.identity)) return null;
    try {
      const { mtimeMs } = await file.state();
      if (mtimeMs < this.#sinceMs) return false;
      const head = await readHead(file);
      return head.length === 0 ? null : !(await this.#pathOf(stem).isKnownHead(head, coming));
    } catch (error) {
      if (error instanceof HostError) return false;
      throw error;
    }
  }

  #isKnown(identity: string): boolean {
    return this.#done.has(identity) || this.#generations.has(identity);
  }

  #generation(path: string, file: FollowedFile): FileGeneration {
    const { stream } = streamOfPath(this.#table, path);
    const generation = new FileGeneration(file, {
      open: () => this.#events.open({ name: path, path, stream, exported: false }),
      note: (code, detail) => this.#notes.add(code === 'watch-limit' ? 'log files' : path, code, detail),
      moved: this.#onChange,
      nowMs: () => this.#host.clock.monotonicMs(),
    });
    this.#generations.set(generation.identity, generation);
    this.#done.delete(generation.identity);
    return generation;
  }

  /** Lets go of files that lost their path. */
  #partFrom(live: ReadonlySet<string>): void {
    for (const [path, followed] of this.#paths) {
      if (live.has(path)) continue;
      followed.identity = null;
      if (followed.isOver) this.#paths.delete(path);
    }
    const held = new Set([...this.#paths.values()].map(({ identity }) => identity));
    for (const [identity, generation] of this.#generations) {
      if (!generation.isDeparted && !held.has(identity)) void generation.depart();
      if (generation.isForgotten(this.#host.clock.monotonicMs())) void generation.end();
      if (!generation.isEnded) continue;
      this.#generations.delete(identity);
      this.#dismiss(identity);
    }
  }

  #dismiss(identity: string): void {
    this.#done.add(identity);
    const [oldest] = this.#done;
    if (this.#done.size > DONE_MAX && oldest !== undefined) this.#done.delete(oldest);
  }
}
