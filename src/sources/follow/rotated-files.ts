// The files that have one path after another: each is read out before the next one is begun. Does not find or open them.
import type { FileGeneration } from './followed-file.ts';

const HEADS_MAX = 32;

export class FollowedPath {
  /** Identity of the file that has the path now, null if none that is followed. */
  identity: string | null = null;
  #latest: FileGeneration | null = null;
  #generations: readonly FileGeneration[] = [];
  #earlierHeads: readonly Buffer[] = [];
  #turn: Promise<void> = Promise.resolve();

  /** True if nothing more can come of the files that had the path. */
  get isOver(): boolean {
    return this.#generations.every(({ isEnded }) => isEnded);
  }

  /** The path leads to this file now; the one before it is read out first. */
  follow(generation: FileGeneration): void {
    const before = this.#latest;
    this.#latest = generation;
    this.#add(generation, async () => {
      await before?.depart();
      await generation.start();
    });
  }

  /** A file that had the path before its present one, found too late to be read before it. */
  followLate(generation: FileGeneration): void {
    this.#add(generation, async () => {
      await generation.start();
      await generation.depart();
    });
  }

  /** Resolves when all files that had the path until now were read out, and the present one as far as it went when its turn came. */
  readOut(): Promise<void> {
    return this.#turn;
  }

  /** True if a file that has or had this path began with these bytes: then what holds them is a copy. `coming`: not given to it yet. @throws HostError */
  async isKnownHead(bytes: Buffer, coming: FileGeneration | undefined): Promise<boolean> {
    const present = coming === undefined ? this.#generations : [...this.#generations, coming];
    const heads = await Promise.all(present.map((generation) => generation.headsNow()));
    return [...this.#earlierHeads, ...heads.flat()].some((head) => {
      const length = Math.min(head.length, bytes.length);
      return length > 0 && head.subarray(0, length).equals(bytes.subarray(0, length));
    });
  }

  #add(generation: FileGeneration, turn: () => Promise<void>): void {
    const ended = this.#generations.filter(({ isEnded }) => isEnded);
    this.#earlierHeads = [...this.#earlierHeads, ...ended.flatMap(({ heads }) => heads)].slice(-HEADS_MAX);
    this.#generations = [...this.#generations.filter(({ isEnded }) => !isEnded), generation];
    this.#turn = this.#turn.then(turn);
  }
}
