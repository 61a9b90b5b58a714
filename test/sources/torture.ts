// What the writer and the reader of the follower's torture test agree on: the numbered lines, the plan that a seed gives, and
// what the writer reports. The lines of one filling are in one file, between two events that empty or replace it.

export interface Plan {
  readonly seed: number;
  /** The file, and the folder that it stands in, which may not be there at first. */
  readonly folder: string;
  readonly file: string;
  readonly lines: number;
  readonly renames: number;
  readonly truncations: number;
}

/** How a filling ended. `waited`: only after the reader had its last line. `copied`: to the first rotated name, then emptied. */
export type FillingEnd = 'renamed' | 'waited' | 'emptied' | 'copied' | 'last';

export interface Filling {
  readonly first: number;
  /** Number after its last line. */
  readonly end: number;
  readonly by: FillingEnd;
}

export type ToReader =
  | { readonly kind: 'wait-for'; readonly line: number }
  | { readonly kind: 'done'; readonly fillings: readonly Filling[] };

/** Repeatable numbers in [0, 1) (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FILL = 'the-quick-brown-fox-jumps-over-the-lazy-dog-and-back-again-'.repeat(4);

/** Lines differ in length, so that one writing never lies on another line by line. */
export function lineOf(number: number): string {
  return `${number} ${FILL.slice(0, (number * 2654435761) % 61)} ${number}`;
}
