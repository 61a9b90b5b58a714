// Gathers what was not read, and folds many notes of one kind into one, so that a capture with a thousand links fills one line.
import { HostError } from '../host/host.ts';
import type { SourceNote } from './codes.ts';

const LISTED_MAX = 3;

export class Notes {
  readonly #groups = new Map<string, { readonly owner: string; readonly notes: SourceNote[]; count: number }>();

  /** `owner`: the argument or archive that it was found in; equal codes of one owner are folded. Null: never folded. */
  add(owner: string | null, note: SourceNote): void {
    const key = `${note.code}\0${owner ?? note.what}`;
    const group = this.#groups.get(key) ?? { owner: owner ?? note.what, notes: [], count: 0 };
    const last = group.notes.at(-1);
    if (last?.what === note.what && last.detail === note.detail) return;
    // A million refused members must not stay in memory for three names.
    group.count++;
    if (group.notes.length <= LISTED_MAX) group.notes.push(note);
    this.#groups.set(key, group);
  }

  /** @throws everything that is not a HostError: that is a bug and must be seen. */
  refusal(owner: string | null, what: string, error: unknown): void {
    if (!(error instanceof HostError)) throw error;
    this.add(owner, { what, code: error.code, detail: error.detail === what ? '' : error.detail });
  }

  list(): SourceNote[] {
    return [...this.#groups.values()].flatMap(({ owner, notes, count }) => {
      if (count <= LISTED_MAX) return notes;
      const named = notes.slice(0, LISTED_MAX).map((note) => note.what);
      return { what: owner, code: notes[0]!.code, detail: `${count} files: ${named.join(', ')}, …` };
    });
  }
}
