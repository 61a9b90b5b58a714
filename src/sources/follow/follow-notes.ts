// Says once what of the followed files could not be had, and counts what may happen to a file a million times.
import type { SourceCode, SourceNote } from '../codes.ts';

const NOTES_MAX = 200;

export class FollowNotes {
  readonly #tell: (note: SourceNote) => void;
  readonly #told = new Set<string>();
  readonly #cutLines = new Map<string, number>();

  constructor(tell: (note: SourceNote) => void) {
    this.#tell = tell;
  }

  add(what: string, code: SourceCode, detail = ''): void {
    if (code === 'line-cut') this.#addCutLine(what);
    else this.#once(`${what}\0${code}`, { what, code, detail: detail === what ? '' : detail });
  }

  /** Tells of the first one, the tenth, the hundredth. */
  #addCutLine(what: string): void {
    const lines = (this.#cutLines.get(what) ?? 0) + 1;
    this.#cutLines.set(what, lines);
    if (/^10*$/.test(String(lines)))
      this.#once(`${what}\0${lines}`, { what, code: 'line-cut', detail: `${lines} line${lines === 1 ? '' : 's'}` });
  }

  #once(key: string, note: SourceNote): void {
    if (this.#told.has(key) || this.#told.size >= NOTES_MAX) return;
    this.#told.add(key);
    this.#tell(note);
  }
}
