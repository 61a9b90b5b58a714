// A copy of a text with its encodings undone and what cannot be seen taken out, and the way back: which part of the original each character
// of the copy stands for. A secret hides behind `\u0077`, `&quot;`, `%3D`, colours or zero-width characters; a reader may undo them as well.

export interface Decoded {
  readonly text: string;
  /** Start in the original of each character of the copy, and its end behind the last. */
  readonly places: readonly number[];
}

/** One encoded character, or a run that shows nothing. */
const CODED = new RegExp(
  [
    String.raw`\\(?:x1b|u001b|033|e)\[[\d;]{0,20}[A-Za-z]`,
    String.raw`\\{1,7}u[0-9a-fA-F]{4}`,
    String.raw`\\{1,3}x[0-9a-fA-F]{2}`,
    String.raw`\\{1,7}["'/]`,
    "'[\"']{3}'",
    String.raw`&(?:quot|apos|amp|lt|gt|equals|colon|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4});`,
    '%[2-7][0-9a-fA-F]',
    String.raw`\u001b\[[\d;]{0,20}[A-Za-z]`,
    String.raw`[\p{Cf}\u034f]+`,
  ].join('|'),
  'gu',
);
const NAMES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  equals: '=',
  colon: ':',
  nbsp: ' ',
};
/** An escape of a colour shows nothing; those that name the character in digits would be read as that character. */
const COLOUR = /\[[\d;]{0,20}[A-Za-z]$/;

/** Null if there is nothing to undo. */
export function decoded(original: string): Decoded | null {
  if (original.search(CODED) < 0) return null;
  let text = '';
  const places: number[] = [];
  let from = 0;
  for (const { 0: coded, index } of original.matchAll(CODED)) {
    for (let at = from; at < index; at++) places.push(at);
    const character = meaning(coded);
    text += original.slice(from, index) + character;
    for (let at = 0; at < character.length; at++) places.push(index);
    from = index + coded.length;
  }
  for (let at = from; at <= original.length; at++) places.push(at);
  return { text: text + original.slice(from), places };
}

function meaning(coded: string): string {
  if (COLOUR.test(coded)) return '';
  switch (coded.charAt(0)) {
    case '\\': {
      const digits = /[ux](?<digits>[0-9a-fA-F]{2,4})$/.exec(coded);
      return digits === null ? coded.at(-1)! : String.fromCharCode(Number.parseInt(digits.groups!['digits']!, 16));
    }
    case '&': {
      const name = coded.slice(1, -1);
      if (!name.startsWith('#')) return NAMES[name]!;
      return String.fromCharCode(name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
    }
    case '%':
      return String.fromCharCode(Number.parseInt(coded.slice(1), 16));
    case "'":
      return "'";
    default:
      return '';
  }
}
