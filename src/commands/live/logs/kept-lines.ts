// Of one log that is read from its beginning: the lines next to the evidence, and its end.

export interface RawLine {
  readonly text: string;
  /** Of a journal entry; null for a line of a file. */
  readonly fields: ReadonlyMap<string, string> | null;
  /** Which of the logs in a journal it belongs to. */
  readonly log: string;
  /** How many lines it is away from evidence; Infinity: more than counts. */
  readonly distance: number;
}

const TAIL_MAX_CHARS = 2 * 1024 * 1024;
const NEAR_MAX_CHARS = 1024 * 1024;
/** Lines on both sides of evidence. */
const NEAR_LINES = 150;
/** No key has as many. */
const KEY_LINES_MAX = 300;

type Line = { -readonly [K in keyof RawLine]: RawLine[K] };

export class Kept {
  readonly #pieces: readonly string[];
  readonly #near: Line[] = [];
  #tail: Line[] = [];
  #nearChars = 0;
  #tailChars = 0;
  #sinceEvidence = Infinity;
  #total = 0;
  /** Writers in the middle of a key or certificate, which redaction could not tell by a single line: lines since its begin. */
  readonly #inKey = new Map<string, number>();

  /** `pieces`: of the lines that are evidence. */
  constructor(pieces: readonly string[]) {
    this.#pieces = pieces;
  }

  add({ writer, text: given, ...line }: Omit<RawLine, 'distance'> & { readonly writer: string }): void {
    const text = this.#withoutKey(given, writer);
    const isEvidence = this.#pieces.some((piece) => text.includes(piece));
    this.#sinceEvidence = isEvidence ? 0 : this.#sinceEvidence + 1;
    const { length } = this.#tail;
    if (isEvidence)
      for (let back = 1; back <= Math.min(NEAR_LINES, length); back++) {
        const before = this.#tail[length - back]!;
        before.distance = Math.min(before.distance, back);
      }
    this.#tail.push({ ...line, text, distance: this.#sinceEvidence <= NEAR_LINES ? this.#sinceEvidence : Infinity });
    this.#tailChars += text.length;
    this.#total++;
    if (this.#tailChars > 2 * TAIL_MAX_CHARS) this.#cut();
  }

  all(): { readonly lines: readonly RawLine[]; readonly total: number } {
    return { lines: [...this.#near, ...this.#tail], total: this.#total };
  }

  #cut(): void {
    let count = 0;
    for (; this.#tailChars > TAIL_MAX_CHARS; count++) {
      const line = this.#tail[count]!;
      this.#tailChars -= line.text.length;
      if (line.distance === Infinity || this.#nearChars > NEAR_MAX_CHARS) continue;
      this.#near.push(line);
      this.#nearChars += line.text.length;
    }
    this.#tail = this.#tail.slice(count);
  }

  #withoutKey(text: string, writer: string): string {
    const lines = this.#inKey.get(writer);
    const isLast = lines !== undefined && (text.includes('-----END ') || lines >= KEY_LINES_MAX);
    const begins = text.lastIndexOf('-----BEGIN ') > text.lastIndexOf('-----END ');
    if (begins) this.#inKey.set(writer, 0);
    else if (isLast) this.#inKey.delete(writer);
    else if (lines !== undefined) this.#inKey.set(writer, lines + 1);
    return lines === undefined ? text : '[redacted:pem]';
  }
}
