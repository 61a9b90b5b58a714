// Makes one input of the journal files of one folder, read through this machine's journalctl, and says so when journalctl
// leaves something out: it may do that and still end well.
import { basename } from 'node:path';
import type { ChildEnd, Host, PrivateFolder } from '../../host/host.ts';
import type { SourceCode, SourceNote } from '../codes.ts';
import { type Candidate, headOf } from '../capture/candidate.ts';
import type { Input, InputSource } from '../input.ts';
import { JOURNAL_HEADER_BYTES, type JournalHeader, journalHeader } from './journal-header.ts';
import { complaintsOf, findJournalctl, lastEntry, type LastEntry, type Journalctl } from './journalctl.ts';
import { JournalLosses } from './journal-losses.ts';
import { type Extent, readJournal } from './journal-reading.ts';

const LAST_ENTRY_TIME_LIMIT_MS = 10_000;

export interface JournalFile {
  readonly name: string;
  /** Where it lies, and no link. */
  readonly file: string;
  readonly sizeBytes: number | null;
  readonly mtimeMs: number | null;
  readonly header: JournalHeader | null;
}

export interface JournalTask {
  readonly host: Host;
  /** For reading it. */
  readonly timeLimitMs: number;
  /** The moment on the host's monotonic clock at which reading has to be over, however late it began; null: none. */
  readonly deadlineMs?: number | null;
  readonly signal: AbortSignal | undefined;
  readonly name: string;
  /** For the stream rules; begins with `/`. */
  readonly path: string;
  /** Empty for the journal of this machine. */
  readonly files: readonly JournalFile[];
  /** The folder to read, from `linksTo`; null: the journal of this machine. */
  readonly links: (() => Promise<string>) | null;
  /** What narrows it down, e.g. to one boot. */
  readonly args: readonly string[];
  /** All of it where this is left out. */
  readonly extent?: Extent;
}

/** `last`: its last entry, if that is known already. */
export function journalInput(task: JournalTask, last: Buffer | null = null): InputSource {
  const { name, path, files } = task;
  const isWhole = task.links !== null && task.args.length === 0;
  const sizeBytes = isWhole ? files.reduce((sum, file) => sum + (file.sizeBytes ?? 0), 0) : null;
  const times = files.flatMap(({ mtimeMs }) => mtimeMs ?? []);
  const described = { name, path, exported: true, sizeBytes };
  return {
    ...described,
    stream: null,
    mtimeMs: times.length === 0 ? null : Math.max(...times),
    async open() {
      const journalctl = await findJournalctl(task.host, task.signal);
      return { ...described, ...opened(journalctl, await journalArgs(task), task) };
    },
    async survey() {
      return { head: Buffer.alloc(0), tail: last ?? (await lastOf(task, LAST_ENTRY_TIME_LIMIT_MS)).entry };
    },
  };
}

/** @throws HostError `command-missing` */
export async function lastOf(task: JournalTask, timeLimitMs: number): Promise<LastEntry> {
  return lastEntry(await findJournalctl(task.host, task.signal), await journalArgs(task), timeLimitMs);
}

/**
 * A folder of links to the files, made when it is first needed: journalctl wants a folder, and would follow links in the
 * capture's own to wherever they lead.
 */
export function linksTo(files: readonly JournalFile[], folder: () => PrivateFolder): () => Promise<string> {
  let links: Promise<string> | null = null;
  return () =>
    (links ??= folder().createLinks(
      files.map(({ file }) => file),
      '.journal',
    ));
}

async function journalArgs({ links, args }: JournalTask): Promise<readonly string[]> {
  return links === null ? args : ['-D', await links(), ...args];
}

/** Runs journalctl; what went wrong is in `notChecked` once it was read to its end. */
function opened(
  journalctl: Journalctl,
  args: readonly string[],
  task: JournalTask,
): Pick<Input, 'read' | 'close' | 'notChecked'> {
  const { host, name, deadlineMs = null, extent = { of: 'all' } } = task;
  const nowMs = (): number => host.clock.monotonicMs();
  const timeLimitMs = deadlineMs === null ? task.timeLimitMs : Math.min(task.timeLimitMs, deadlineMs - nowMs());
  const pieces = readJournal({ journalctl, args, extent, timeLimitMs, nowMs });
  const losses = new JournalLosses(name, task.args.length > 0 && extent.of !== 'newest');
  const notChecked: SourceNote[] = [];
  let entries = 0;
  let rest: Buffer = Buffer.alloc(0);
  let isOver = false;
  return {
    notChecked,
    async read(into) {
      while (rest.length === 0 && !isOver) {
        const next = await pieces.next();
        if (next.done === true) {
          isOver = true;
          notChecked.push(
            ...journalProblems(next.value, entries, journalctl, task),
            ...losses.notes(),
            ...newestOnly(task, entries),
          );
        } else {
          const piece = next.value;
          losses.add(piece.entries, piece.skipped);
          entries += piece.entries.starts.length;
          rest = piece.entries.bytes;
        }
      }
      const bytes = rest.copy(into);
      rest = rest.subarray(bytes);
      return bytes;
    },
    async close() {
      await pieces.return({ exitCode: null, endedBy: 'closed', stderr: '' });
    },
  };
}

function newestOnly({ name, extent }: JournalTask, entries: number): SourceNote[] {
  if (extent?.of !== 'newest' || entries < extent.entries) return [];
  return [{ what: name, code: 'journal-newest-only', detail: `${entries} entries` }];
}

/** What journalctl left out, judged by its end, its words, and how many entries it gave: it passes over broken ones in silence. */
export function journalProblems(
  end: ChildEnd,
  entries: number,
  { version }: Pick<Journalctl, 'version'>,
  task: Pick<JournalTask, 'name' | 'files' | 'timeLimitMs' | 'args'>,
): SourceNote[] {
  const note = (what: string, code: SourceCode, detail: string): SourceNote => ({ what, code, detail });
  if (end.endedBy === 'time-limit') return [note(task.name, 'journal-time-limit', `${task.timeLimitMs / 1000} s`)];
  const { files } = task;
  const reader = `journalctl ${version ?? 'of unknown version'}`;
  const { ignored, isForbidden, other } = complaintsOf(end);
  if (isForbidden) return [note(task.name, 'unreadable', '')];
  if (ignored.length > 0)
    return ignored.map(({ file, why }) => {
      const meant = files[Number.parseInt(basename(file), 10)];
      return note(meant?.name ?? file, 'journal-unreadable', `${reader}; ${needsOf(meant)}; it says: ${why}`);
    });
  const complaint = other || (end.exitCode === 0 ? '' : `exit code ${end.exitCode}`);
  // At least as many as the largest file holds: copies of one entry in several files are given once.
  const held = task.args.length > 0 ? 0 : Math.max(0, ...files.map((file) => file.header?.entries ?? 0));
  if (entries > 0 && complaint !== '') return [note(task.name, 'journal-incomplete', `${reader}: ${complaint}`)];
  if (entries > 0)
    return entries < held
      ? [note(task.name, 'journal-incomplete', `${reader} gave ${entries} of ${held} entries`)]
      : [];
  if (complaint === '' && files.every((file) => file.header?.entries === 0))
    return [note(task.name, 'journal-empty', '')];
  return [
    note(task.name, 'journal-unreadable', `${reader}; ${needsOf(files[0])}; ${complaint || 'it gave no entries'}`),
  ];
}

function needsOf(file: JournalFile | undefined): string {
  const header = file?.header ?? null;
  if (header === null) return 'the file header cannot be read';
  return header.needs.length === 0 ? 'the file needs no special feature' : `the file needs ${header.needs.join(', ')}`;
}

/** @throws HostError */
export async function journalFile(candidate: Candidate): Promise<JournalFile> {
  const { name, sizeBytes, mtimeMs } = candidate;
  return {
    name,
    file: candidate.file!,
    sizeBytes,
    mtimeMs,
    header: journalHeader(await headOf(candidate, JOURNAL_HEADER_BYTES)),
  };
}
