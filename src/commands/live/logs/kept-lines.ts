// Of one log that is read from its beginning: the lines next to the evidence, and its end.

export interface RawLine {
  /** As of a journal entry; of a line of a file MESSAGE, and LOG with the name of its stream. */
  readonly fields: ReadonlyMap<string, string>;
  /** Which of the logs in a journal it belongs to. */
  readonly log: string;
  /** How many lines it is away from evidence; Infinity: more than counts. */
  distance: number;
}

const NEAR_MAX_CHARS = 256 * 1024;
/** Of what a line takes beside its text. */
const LINE_CHARS = 300;
/** Lines on both sides of evidence. */
const NEAR_LINES = 150;
/** No key has as many. */
const KEY_LINES_MAX = 300;

export class KeptLines {
  readonly #pieces: readonly string[];
  readonly #tailMaxChars: number;
  readonly #near: RawLine[] = [];
  #tail: RawLine[] = [];
  #nearChars = 0;
  #tailChars = 0;
  #sinceEvidence = Infinity;
  #total = 0;
  /** Writers in the middle of a key or certificate, which redaction could not tell by a single line: lines since its begin. */
  readonly #inKey = new Map<string, number>();

  /** `pieces`: of the lines that are evidence. Of the end up to twice `tailMaxChars` are kept. */
  constructor(pieces: readonly string[], tailMaxChars: number) {
    this.#pieces = pieces;
    this.#tailMaxChars = tailMaxChars;
  }

  add(given: ReadonlyMap<string, string>, log: string, writer: string): void {
    const text = this.#withoutKey(given.get('MESSAGE') ?? '', writer);
    const isEvidence = this.#pieces.some((piece) => text.includes(piece));
    this.#sinceEvidence = isEvidence ? 0 : this.#sinceEvidence + 1;
    const before = isEvidence ? this.#tail.slice(-NEAR_LINES) : [];
    before.forEach((line, i) => (line.distance = Math.min(line.distance, before.length - i)));
    const distance = this.#sinceEvidence <= NEAR_LINES ? this.#sinceEvidence : Infinity;
    const fields = text === given.get('MESSAGE') ? given : new Map(given).set('MESSAGE', text);
    this.#tail.push({ fields, log, distance });
    this.#tailChars += text.length + LINE_CHARS;
    this.#total++;
    if (this.#tailChars > 2 * this.#tailMaxChars) this.#cut();
  }

  all(): { readonly lines: readonly RawLine[]; readonly total: number } {
    return { lines: [...this.#near, ...this.#tail], total: this.#total };
  }

  #cut(): void {
    const isOver = (line: RawLine): boolean => {
      if (this.#tailChars <= this.#tailMaxChars) return false;
      const chars = line.fields.get('MESSAGE')!.length + LINE_CHARS;
      this.#tailChars -= chars;
      if (line.distance < Infinity && this.#nearChars < NEAR_MAX_CHARS) {
        this.#near.push(line);
        this.#nearChars += chars;
      }
      return true;
    };
    this.#tail = this.#tail.slice(this.#tail.findIndex((line) => !isOver(line)));
  }

  #withoutKey(text: string, writer: string): string {
    const lines = this.#inKey.get(writer);
    if (text.lastIndexOf('-----BEGIN ') > text.lastIndexOf('-----END ')) this.#inKey.set(writer, 0);
    else if (text.includes('-----END ') || (lines ?? 0) >= KEY_LINES_MAX) this.#inKey.delete(writer);
    else if (lines !== undefined) this.#inKey.set(writer, lines + 1);
    return lines === undefined ? text : '[redacted:pem]';
  }
}
