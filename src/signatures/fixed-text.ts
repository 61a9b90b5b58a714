// Reasons about fixed text, as a list of sets of which each stands for one character: can two texts stand at the same
// place, and how close can a text follow itself?
import type { CharSet } from './character-sets.ts';

export type FixedText = readonly CharSet[];

/** True if some line holds both at one place; texts of different length are compared as far as the shorter one goes. */
export function canMeet(a: FixedText, b: FixedText, shift = 0): boolean {
  for (let at = 0; at < b.length && at + shift < a.length; at++) if ((a[at + shift]! & b[at]!) === 0n) return false;
  return true;
}

/** The least distance of two places at which one of the texts can stand; 1 if a text is empty. */
export function spacingOf(texts: readonly FixedText[]): number {
  const shortest = Math.min(...texts.map((text) => text.length));
  for (let shift = 1; shift < shortest; shift++) if (texts.some((a) => texts.some((b) => canMeet(a, b, shift)))) return shift;
  return Math.max(1, shortest);
}

/** How many of the texts can stand at one place. */
export function mostAtOnePlace(texts: readonly FixedText[]): number {
  return Math.max(...texts.map((a) => texts.filter((b) => canMeet(a, b)).length));
}

/** How often a place is met at which one of the texts can stand, per character and counting each text that can: at most 1 each. */
export function densityOf(texts: readonly FixedText[]): number {
  const together = mostAtOnePlace(texts) / spacingOf(texts);
  const apart = texts.reduce((sum, text) => sum + 1 / spacingOf([text]), 0);
  return Math.min(together, apart);
}

/** Text of which each place allows what any of the given ones allows there; as long as the shortest. */
export function union(texts: readonly FixedText[]): FixedText {
  const [first = [], ...rest] = texts;
  return rest.reduce((all, text) => all.slice(0, text.length).map((set, at) => set | text[at]!), first);
}
