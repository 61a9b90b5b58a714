// Finds what a node itself holds: its journal of this boot and of the one before, and the live log files of streams.yaml; on
// this machine, or in a root file system that is only mounted.
import { type Host, HostError } from '../host/host.ts';
import type { StreamTable } from '../types.ts';
import type { Candidate } from './candidate.ts';
import type { Collected, CollectOptions, InputSource } from './input.ts';
import { journalArgs, type JournalFile, journalFile, journalInput, journalProblems, type JournalTask, linksTo } from './journal-input.ts';
import { findJournalctl, lastEntry } from './journalctl.ts';
import { newRun, type Run } from './run.ts';
import { Sorter } from './sorter.ts';

const JOURNAL_TIME_LIMIT_MS = 60_000;
const JOURNALS = ['/var/log/journal', '/run/log/journal'].flatMap((folder) => [`${folder}/*.journal*`, `${folder}/*/*.journal*`]);
/** Where the same lines are if there is no journal. */
const INSTEAD = ['/var/log/messages', '/var/log/syslog'];

/** Reads below the host's root only. The earlier boot comes first; it is told apart by its boot id. */
export async function collectLiveInputs(
  host: Host,
  table: StreamTable,
  { limits, signal }: Pick<CollectOptions, 'limits' | 'signal'> = {},
): Promise<Collected> {
  const run = newRun({ host, table, limits: { journalTimeMs: JOURNAL_TIME_LIMIT_MS, ...limits }, signal });
  try {
    const journals = await journalsOf(run);
    const globs = run.table.streams.flatMap((stream) => stream.liveFiles);
    const sorter = new Sorter(run);
    for (const glob of journals.length > 0 ? globs : [...INSTEAD, ...globs])
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
  const ofBoot = (name: string, path: string, boot: string): JournalTask => {
    return { host, timeLimitMs: limits.journalTimeMs, signal, name, path, files: files ?? [], links, args: ['-b', boot] };
  };
  const current = ofBoot('journal', '/journal.export', '0');
  const previous = ofBoot('journal of the boot before', '/journal-previous.export', '-1');
  try {
    if (!(await isThere(run, current, true))) return [];
    return (await isThere(run, previous, false)) ? [journalInput(previous), journalInput(current)] : [journalInput(current)];
  } catch (error) {
    run.notes.refusal(null, 'journal', error);
    return [];
  }
}

/** @throws HostError `command-missing` */
async function isThere(run: Run, task: JournalTask, isExpected: boolean): Promise<boolean> {
  const journalctl = await findJournalctl(run.host, run.signal);
  const { entry, end } = await lastEntry(journalctl, await journalArgs(task));
  run.signal?.throwIfAborted();
  if (entry.length > 0) return true;
  if (!isExpected) return false;
  const problems = task.links === null && end.stderr.includes('No journal files were found') ? [] : journalProblems(end, 0, journalctl, task);
  if (problems.length === 0) run.notes.add(null, { what: task.name, code: 'journal-missing', detail: '' });
  for (const problem of problems) run.notes.add(null, problem);
  return false;
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
