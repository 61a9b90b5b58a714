// Finds what a node itself holds: its journal of this boot and of the one before, and the live log files of streams.yaml; on
// this machine, or in a root file system that is only mounted.
import { type Host, HostError } from '../host/host.ts';
import type { StreamTable } from '../types.ts';
import type { Candidate } from './capture/candidate.ts';
import type { Collected, CollectOptions, InputSource } from './input.ts';
import {
  type JournalFile,
  journalFile,
  journalInput,
  journalProblems,
  type JournalTask,
  lastOf,
  linksTo,
} from './journal/journal-input.ts';
import { findJournalctl, type LastEntry } from './journal/journalctl.ts';
import { newRun, type Run } from './capture/collection.ts';
import { Sorter } from './capture/sort-candidates.ts';

/** A node that is asked must answer within 12 s, probes and log files included; a root that is only mounted can wait. */
const LIVE_JOURNAL_TIME_MS = 6_000;
const MOUNTED_JOURNAL_TIME_MS = 60_000;
const PREVIOUS_JOURNAL_TIME_MS = 1_000;
const LAST_ENTRY_TIME_MS = 2_000;
/** Read in any case, however long the journal of this boot is: 20,000 are the last minute of the worst crash loop that was seen. */
const NEWEST_ENTRIES = 20_000;
const PREVIOUS_ENTRIES = 5_000;
const JOURNALS = ['/var/log/journal', '/run/log/journal'].flatMap((folder) => [
  `${folder}/*.journal*`,
  `${folder}/*/*.journal*`,
]);
/** Where the same lines are if there is no journal. */
export const SYSLOG_FILES = ['/var/log/messages', '/var/log/syslog'];

/** Reads below the host's root only. The earlier boot comes first; it is told apart by its boot id. */
export async function collectLiveInputs(
  host: Host,
  table: StreamTable,
  { limits, signal }: Pick<CollectOptions, 'limits' | 'signal'> = {},
): Promise<Collected> {
  const journalTimeMs = host.root === null ? LIVE_JOURNAL_TIME_MS : MOUNTED_JOURNAL_TIME_MS;
  const run = newRun({ host, table, limits: { journalTimeMs, ...limits }, signal });
  try {
    const journals = await journalsOf(run);
    const globs = run.table.streams.flatMap((stream) => stream.liveFiles);
    const sorter = new Sorter(run);
    for (const glob of journals.length > 0 ? globs : [...SYSLOG_FILES, ...globs])
      for (const path of await run.host.expandGlob(glob)) await takeFile(run, sorter, path);
    return { inputs: [...journals, ...sorter.inputs()], notChecked: run.notes.list(), cleanup: () => run.cleanup() };
  } catch (error) {
    await run.cleanup();
    throw error;
  }
}

/** An empty file is nothing special on a node that boots. */
async function takeFile(run: Run, sorter: Sorter, path: string): Promise<void> {
  try {
    const candidate = await candidateBelow(run, path);
    if (candidate.sizeBytes !== 0) await sorter.take(candidate);
  } catch (error) {
    run.notes.refusal(null, path, error);
  }
}

/** @throws HostError */
async function candidateBelow(run: Run, path: string): Promise<Candidate> {
  const { host, table } = run;
  const open = (): ReturnType<typeof host.openFile> => host.openBelowRoot(path, table.logFolders);
  const file = await host.resolveBelowRoot(path, table.logFolders);
  const { kind, sizeBytes, mtimeMs } = await host.kindOf(file);
  if (kind !== 'file') throw new HostError(kind, path);
  return { name: path, path, owner: null, file, sizeBytes, mtimeMs, depth: 0, open, glance: open };
}

/** None if the node keeps no journal or it cannot be read; that is noted. */
async function journalsOf(run: Run): Promise<InputSource[]> {
  const { host, limits, signal } = run;
  const files = host.root === null ? null : await journalFiles(run);
  if (files?.length === 0) {
    run.notes.add(null, { what: 'journal', code: 'journal-missing', detail: '' });
    return [];
  }
  const links = files === null ? null : linksTo(files, () => run.folder());
  const deadlineMs = host.clock.monotonicMs() + limits.journalTimeMs;
  const common = { host, signal, files: files ?? [], links, deadlineMs };
  const current: JournalTask = {
    ...common,
    name: 'journal',
    path: '/journal.export',
    timeLimitMs: limits.journalTimeMs,
    args: ['-b', '0'],
    extent: { of: 'ends', entries: NEWEST_ENTRIES },
  };
  const previous: JournalTask = {
    ...common,
    name: 'journal of the boot before',
    path: '/journal-previous.export',
    timeLimitMs: Math.min(limits.journalTimeMs, PREVIOUS_JOURNAL_TIME_MS),
    args: ['-b', '-1'],
    extent: { of: 'newest', entries: PREVIOUS_ENTRIES },
  };
  try {
    // The version is asked first, so that it is asked once.
    await findJournalctl(host, signal);
    const [ofCurrent, ofPrevious] = await Promise.all([
      lastOf(current, LAST_ENTRY_TIME_MS),
      lastOf(previous, LAST_ENTRY_TIME_MS),
    ]);
    signal?.throwIfAborted();
    if (ofCurrent.entry.length === 0) {
      await noteMissing(run, current, ofCurrent);
      return [];
    }
    const inputs = [journalInput(current, ofCurrent.entry)];
    return ofPrevious.entry.length === 0 ? inputs : [journalInput(previous, ofPrevious.entry), ...inputs];
  } catch (error) {
    run.notes.refusal(null, 'journal', error);
    return [];
  }
}

async function noteMissing(run: Run, task: JournalTask, { end }: LastEntry): Promise<void> {
  const journalctl = await findJournalctl(run.host, run.signal);
  const problems =
    task.links === null && end.stderr.includes('No journal files were found')
      ? []
      : journalProblems(end, 0, journalctl, task);
  if (problems.length === 0) run.notes.add(null, { what: task.name, code: 'journal-missing', detail: '' });
  for (const problem of problems) run.notes.add(null, problem);
}

async function journalFiles(run: Run): Promise<JournalFile[]> {
  const files: JournalFile[] = [];
  for (const glob of JOURNALS)
    for (const path of await run.host.expandGlob(glob))
      try {
        files.push(await journalFile(await candidateBelow(run, path)));
      } catch (error) {
        run.notes.refusal(null, path, error);
      }
  return files;
}
