// Character classes of an expression as exact sets over Latin-1, so that "can these two meet?" has an answer. Beyond
// Latin-1 there are two more members: all white space, and all the rest.
import type { RegexNode } from './regex-syntax.ts';

/** Bits 0 to 255 are characters; the two above stand for all others. */
export type CharSet = bigint;

const LATIN_CHARS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
/** No class that names only ASCII can tell one of these from others of its kind. */
const OTHERS = ['\u2003', '\u4e00'];

/** Makes sets of the nodes of one expression, and remembers them. */
export class CharSets {
  readonly #source: string;
  readonly #ignoreCase: boolean;
  readonly #known = new Map<string, CharSet>();

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source;
    this.#ignoreCase = ignoreCase;
  }

  of(node: Extract<RegexNode, { kind: 'char' | 'set' }>): CharSet {
    const text = this.#source.slice(node.start, node.end);
    let set = this.#known.get(text);
    if (set === undefined) {
      set = membersOf(text, this.#ignoreCase);
      this.#known.set(text, set);
    }
    return set;
  }
}

/** Asks the engine itself about every character, so that case folding and escapes are what they are at run time. */
function membersOf(text: string, ignoreCase: boolean): CharSet {
  const regex = new RegExp(`^${text}$`, ignoreCase ? 'si' : 's');
  const namesOthers = /[^\0-\x7f]/.test(text);
  const bits = [...LATIN_CHARS, ...OTHERS].map((char, index) => (regex.test(char) || (namesOthers && index >= LATIN_CHARS.length) ? 1n << BigInt(index) : 0n));
  return bits.reduce((set, bit) => set | bit, 0n);
}
