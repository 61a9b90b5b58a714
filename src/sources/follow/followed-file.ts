// Follows one file, whatever becomes of its name, until it is told to end: decides when to read it and by what means. Does not
// know which other files have or had the same name.
import { type FileState, type FollowedFile, HostError } from '../../host/host.ts';
import { FileReader, type ReaderEvents } from './incremental-reader.ts';
import { TailFeed } from './tail-lines.ts';

/** A file that grows by more between two looks is read at once; the tail is for what comes line by line. */
const CALM_BYTES = 64 * 1024;
/** How long a file without its name must be quiet until nobody is expected to write to it any more. */
const FAREWELL_MS = 30_000;
/** The tail hears of every write by itself: what else may have become of the file is looked at once for many of them. */
const LOOK_AFTER_MS = 100;
/** A program that says no more for so long may never end its line: it hangs, or it died in the middle. */
const QUIET_MS = 2_000;

export interface GenerationEvents extends ReaderEvents {
  /** The file has another name now, or none. */
  moved(): void;
  nowMs(): number;
}

export class FileGeneration {
  readonly identity: string;
  readonly #file: FollowedFile;
  readonly #events: GenerationEvents;
  readonly #reader: FileReader;
  #tail: TailFeed | null = null;
  #isStarted = false;
  #isWatched = false;
  #isDeparted = false;
  #ending: Promise<void> | null = null;
  #lastNewsMs: number;
  #seen: Omit<FileState, 'allocatedBytes'> = { sizeBytes: -1, mtimeMs: -1 };
  #isDue = false;
  #quiet: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(file: FollowedFile, events: GenerationEvents) {
    this.identity = file.identity;
    this.#file = file;
    this.#events = events;
    this.#reader = new FileReader(file, events);
    this.#lastNewsMs = events.nowMs();
  }

  get isDeparted(): boolean {
    return this.#isDeparted;
  }

  get isEnded(): boolean {
    return this.#ending !== null;
  }

  /** True if nobody tells of its changes, so that it must be looked at. */
  get isUnwatched(): boolean {
    return this.#isStarted && !this.#isWatched;
  }

  /** The first bytes of what was read of it, at most 1 KiB each time that it was filled anew. */
  get heads(): readonly Buffer[] {
    return this.#reader.heads;
  }

  /** The same, and those of what it holds now if it has not ended. @throws HostError */
  async headsNow(): Promise<readonly Buffer[]> {
    if (!this.#isStarted && !this.isEnded) return [await this.#reader.headNow()];
    await this.#readOut();
    return this.heads;
  }

  /** True once it lost its name and has been quiet since. */
  isForgotten(nowMs: number): boolean {
    return this.#isDeparted && this.#isStarted && nowMs - this.#lastNewsMs > FAREWELL_MS;
  }

  /** Resolves when all that the file holds now was pushed. */
  start(): Promise<void> {
    this.#isStarted = true;
    return this.#readOut();
  }

  /** The file has lost its name. Resolves when all that it holds now was pushed; what is written later is pushed too. */
  depart(): Promise<void> {
    if (!this.#isDeparted) this.#lastNewsMs = this.#events.nowMs();
    this.#isDeparted = true;
    this.#tail?.stop();
    return this.#readOut();
  }

  /** Resolves when all that the file holds now was pushed, a last line without an end too. */
  async settle(): Promise<void> {
    if (!this.#isStarted || this.isEnded) return;
    // The tail gives out whole lines only.
    this.#tail?.stop();
    await this.#readOut();
    this.#reader.show();
  }

  #lookLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      this.look();
    }, LOOK_AFTER_MS);
  }

  /** It has a name again. */
  comeBack(): void {
    if (this.#isDeparted) this.look();
    this.#isDeparted = false;
  }

  /** Looks for changes that nobody told of. */
  look(): void {
    this.#isDue = true;
    if (this.#isStarted && this.#looking === null && !this.isEnded) this.#looking = this.#lookUntilDone();
  }

  /** Pushes a last line without an end and lets go of the file. */
  end(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    clearTimeout(this.#quiet);
    clearTimeout(this.#later);
    this.#reader.stop();
    this.#tail?.stop();
    await this.#looking;
    try {
      if (this.#isStarted) await this.#reader.end();
    } catch (error) {
      this.#refuse(error);
    }
    await this.#file.close();
    for (const resolve of this.#waiting) resolve();
  }

  #readOut(): Promise<void> {
    if (this.isEnded) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.look();
    return promise;
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#isDue && !this.isEnded) {
      this.#isDue = false;
      const waiting = this.#waiting.length;
      const before = this.#reader.position;
      try {
        if (await this.#lookOnce()) for (const resolve of this.#waiting.splice(0, waiting)) resolve();
        else this.#startAgain();
      } catch (error) {
        this.#refuse(error);
        void this.end();
      }
      if (this.#reader.position !== before) this.#lastNewsMs = this.#events.nowMs();
    }
    this.#looking = null;
  }

  /** False if the file was emptied. */
  async #lookOnce(): Promise<boolean> {
    this.#watch();
    if (this.#tail !== null && !(await this.#takeFrom(this.#tail))) return false;
    const reader = this.#reader;
    const before = reader.position;
    const now = await this.#file.state();
    if (now.sizeBytes < before) return reader.restart();
    if (this.#tail?.isBusy === true) {
      this.#awaitQuiet();
      return true;
    }
    const isChanged = now.sizeBytes !== this.#seen.sizeBytes || now.mtimeMs !== this.#seen.mtimeMs;
    this.#seen = now;
    if (isChanged) this.#awaitQuiet();
    if (this.#tail === null && !(await reader.readOn(now.sizeBytes, now.allocatedBytes))) return false;
    if (isChanged && reader.position === before && !(await reader.check())) return false;
    if (this.#tail !== null) this.#tail.look();
    else if (this.#isWatched && !this.#isDeparted && !this.isEnded && reader.position - before <= CALM_BYTES)
      return this.#startTail();
    return true;
  }

  #awaitQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => void this.#settleIfBegun(), QUIET_MS).unref();
  }

  async #settleIfBegun(): Promise<void> {
    try {
      const { sizeBytes } = await this.#file.state();
      if (sizeBytes > this.#reader.position || this.#reader.isHolding) await this.settle();
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #takeFrom(tail: TailFeed): Promise<boolean> {
    for (let chunk = tail.take(); chunk !== null; chunk = tail.take())
      if (!(await this.#reader.take(chunk))) return false;
    if (tail.isOver) this.#tail = null;
    return true;
  }

  async #startTail(): Promise<boolean> {
    const tail = this.#newTail();
    this.#tail = tail;
    if (tail === null) return true;
    if (tail.startBytes < this.#reader.position) return this.#reader.restart();
    if (!(await this.#reader.readTo(tail.startBytes))) return false;
    // It was written to between the tail's look at the size and the start of its watch, or emptied.
    if (this.#reader.position === tail.startBytes) tail.look();
    else tail.stop();
    return true;
  }

  #newTail(): TailFeed | null {
    try {
      return new TailFeed(this.#file, () => this.look());
    } catch (error) {
      this.#refuse(error);
      return null;
    }
  }

  /** From the start of the file. */
  #startAgain(): void {
    this.#tail?.stop();
    this.#tail = null;
    this.#seen = { sizeBytes: -1, mtimeMs: -1 };
    this.#isDue = true;
  }

  #watch(): void {
    if (this.#isWatched) return;
    try {
      this.#file.watch((wasMoved) => {
        if (wasMoved) this.#events.moved();
        if (wasMoved || this.#tail === null) this.look();
        else this.#lookLater();
      });
      this.#isWatched = true;
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    if (error instanceof HostError) this.#events.note(error.code, error.detail);
    else this.#events.note('read-failed', String(error));
  }
}
