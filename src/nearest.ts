// Finds the known word that a mistyped one was probably meant to be.

const EDITS_MAX = 2;
const WORD_MAX_CHARS = 64;

/** The choice that is at most two edits away (or begins with the word), null if there is none. */
export function nearest(word: string, choices: readonly string[]): string | null {
  if (word.length > WORD_MAX_CHARS) return null;
  const ranked = choices
    .map((choice) => ({ choice, edits: edits(word.toLowerCase(), choice) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [best] = ranked;
  if (best !== undefined && best.edits <= Math.min(EDITS_MAX, word.replace(/^-+/, '').length >> 1)) return best.choice;
  return word.length >= 3 ? (choices.find((choice) => choice.startsWith(word)) ?? null) : null;
}

/** Levenshtein distance. */
function edits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = previous[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[to.length]!;
}
