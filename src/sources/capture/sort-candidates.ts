// Takes candidates one by one and puts each where it belongs: text becomes an input, archives are unpacked and their members
// taken in turn, journals are gathered by folder, and the rest is noted.
import { dirname } from 'node:path';
import type { SourceCode } from '../codes.ts';
import { type Candidate, type Content, inspect } from './candidate.ts';
import { bytesSource } from './peek.ts';
import { decompress } from './decompress.ts';
import type { InputSource } from '../input.ts';
import { type JournalFile, journalFile, journalInput, linksTo } from '../journal/journal-input.ts';
import { inReadingOrder } from '../rotation.ts';
import type { Run } from './collection.ts';
import { spooled } from './copy-to-folder.ts';
import { streamOfPath } from '../stream-of-path.ts';
import { textInput } from './text-input.ts';
import { unpack } from './unpack.ts';

const EMPTY: Content = { kind: { is: 'empty' }, compression: null, head: null };
const HELD_FILE_BYTES = 512;
const HELD_FILE_COST = 256;
const HELD_MAX_BYTES = 8 * 1024 * 1024;

/** An archive, and the archives in it. */
const DEPTH_MAX = 2;

const JOURNAL_NAME = /\.journal~?$/;

interface JournalGroup {
  readonly name: string;
  readonly path: string;
  readonly files: JournalFile[];
}

export class Sorter {
  readonly #run: Run;
  readonly #inputs: InputSource[] = [];
  readonly #journals = new Map<string, JournalGroup>();
  readonly #taken = new Set<string>();
  #heldBytes = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** How many inputs there are so far; tells whether a folder or an archive held any. */
  get size(): number {
    return this.#inputs.length + this.#journals.size;
  }

  inputs(): InputSource[] {
    const { host, limits, signal } = this.#run;
    const journals = [...this.#journals.values()].map(({ name, path, files }) =>
      journalInput({
        host,
        timeLimitMs: limits.journalTimeMs,
        signal,
        name: files.length === 1 ? files[0]!.name : name,
        path,
        files,
        links: linksTo(files, () => this.#run.folder()),
        args: [],
      }),
    );
    return inReadingOrder([...this.#inputs, ...journals]);
  }

  /** Takes it, whatever it is. A file that was taken before is passed over. @throws the signal's reason */
  async take(candidate: Candidate): Promise<void> {
    this.#run.signal?.throwIfAborted();
    if (candidate.file !== null && this.#taken.has(candidate.file)) return;
    if (candidate.file !== null) this.#taken.add(candidate.file);
    try {
      const found =
        candidate.sizeBytes === 0 && candidate.owner !== null ? EMPTY : await inspect(candidate, this.#run.budget);
      await this.#put(this.#held(candidate, found), found);
    } catch (error) {
      this.#run.notes.refusal(candidate.owner, candidate.name, error);
    }
  }

  /** A tiny file is opened once: thousands of them cost most by being opened. */
  #held(candidate: Candidate, { head }: Content): Candidate {
    const { sizeBytes, file } = candidate;
    if (
      file === null ||
      head === null ||
      head.length !== sizeBytes ||
      head.length > HELD_FILE_BYTES ||
      this.#heldBytes > HELD_MAX_BYTES
    )
      return candidate;
    this.#heldBytes += head.length + HELD_FILE_COST;
    const open = async (): ReturnType<Candidate['open']> => ({ ...bytesSource(head), sizeBytes });
    return { ...candidate, open, glance: open };
  }

  async #put(candidate: Candidate, { kind, compression }: Content): Promise<void> {
    const { table, budget } = this.#run;
    switch (kind.is) {
      case 'text':
        this.#inputs.push(textInput(candidate, { compression, exported: kind.exported }, table, budget));
        return;
      case 'binary':
        if (JOURNAL_NAME.test(candidate.path)) {
          this.#note(candidate, 'journal-unreadable', 'it does not begin like a journal file');
          return;
        }
        // What the user named, and what its name says is a log, is read whatever its first bytes are.
        if (candidate.owner === null || streamOfPath(table, candidate.path).known)
          this.#inputs.push(textInput(candidate, { compression, exported: false }, table, budget));
        else this.#note(candidate, 'binary');
        return;
      case 'tar':
        await this.#unpack(candidate, compression);
        return;
      case 'journal':
        await this.#gather(
          compression === null && candidate.file !== null
            ? candidate
            : await spooled(this.#run, candidate, compression),
        );
        return;
      case 'empty':
        // An empty file that nobody named and that is no known log (`btmp`, `.keep`) tells nothing.
        if (candidate.owner === null || streamOfPath(table, candidate.path).known) this.#note(candidate, 'empty');
        return;
      case 'damaged':
        this.#note(candidate, kind.code);
        return;
      case 'unsupported':
        this.#note(candidate, 'compressed-unsupported', kind.form);
        return;
      case 'compressed':
        this.#note(candidate, 'nested-too-deep');
    }
  }

  async #gather(candidate: Candidate): Promise<void> {
    const folder = dirname(candidate.path);
    const key = `${candidate.owner ?? ''}\0${folder}`;
    const inner = candidate.name.includes('/') ? dirname(candidate.name) : (candidate.owner ?? '.');
    const group = this.#journals.get(key) ?? { name: inner, path: `${folder}/system.journal`, files: [] };
    group.files.push(await journalFile(candidate));
    this.#journals.set(key, group);
  }

  async #unpack(candidate: Candidate, compression: Content['compression']): Promise<void> {
    if (candidate.depth === DEPTH_MAX) {
      this.#note(candidate, 'nested-too-deep');
      return;
    }
    const { table, budget, notes, signal } = this.#run;
    const before = this.size;
    budget.addPacked(candidate.sizeBytes, candidate.depth);
    const raw = await candidate.open();
    const unpacked = compression === null ? null : decompress(raw, compression, budget);
    const source = unpacked ?? budget.metered(raw);
    const archive = candidate.name;
    try {
      const isWanted = (name: string): boolean => !streamOfPath(table, `/${name}`).ignored;
      const { members, problem } = await unpack({
        source,
        archive,
        folder: this.#run.folder(),
        budget,
        notes,
        signal,
        isWanted,
      });
      // The first reason down the line: what cut the archive off also makes it end too early.
      const reason = budget.isSpent() ? 'unpack-limit' : (unpacked?.problem() ?? problem);
      if (reason !== null) this.#note(candidate, reason);
      for (const member of members) {
        const open = (): ReturnType<Candidate['open']> => this.#run.host.openFile(member.file);
        await this.take({
          ...member,
          name: `${archive}!${member.name}`,
          path: `/${member.name}`,
          owner: archive,
          depth: candidate.depth + 1,
          open,
          glance: open,
        });
      }
    } finally {
      await source.close();
    }
    if (this.size === before) this.#note(candidate, 'no-logs');
  }

  #note(candidate: Candidate, code: SourceCode, detail = ''): void {
    this.#run.notes.add(candidate.owner, { what: candidate.name, code, detail });
  }
}
