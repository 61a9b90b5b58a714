// Lists the processes of the machine through ps: reading a stuck process's command line can wait for ever, which must not
// happen in this process.
import type { ProcessEntry } from '../system.ts';
import { toolOutput } from './tool-output.ts';

const TIME_LIMIT_MS = 1_500;
const OUTPUT_MAX_BYTES = 4 * 1024 * 1024;
const COMMAND_MAX_CHARS = 4_096;
/** ps pads a column to its width and cuts at it. */
const FIELDS = ['pid=', 'ppid=', 'etimes=', 'unit:256='];
const LINE = /^ *(?<pid>\d+) +(?<parentPid>\d+) +(?<age>\d+) +(?<unit>\S+) +(?<command>.*)$/;

/** Without this process and its children. Where a process holds up ps, those after it are listed by their names alone. Null without ps. @throws the signal's reason */
export async function processList(signal: AbortSignal): Promise<readonly ProcessEntry[] | null> {
  const full = await ask('args=', signal);
  if (full === null) return null;
  const processes = parseProcesses(full.stdout);
  if (full.exitCode === 0) return withoutFamily(processes, process.pid);
  const names = parseProcesses((await ask('comm=', signal))?.stdout ?? '');
  const known = new Map(processes.map((entry) => [entry.pid, entry]));
  return withoutFamily(
    names.map((entry) => known.get(entry.pid) ?? { ...entry, command: `[${entry.command}]` }),
    process.pid,
  );
}

function ask(command: string, signal: AbortSignal): ReturnType<typeof toolOutput> {
  const args = ['-eww', ...[...FIELDS, command].flatMap((field) => ['-o', field])];
  return toolOutput({ name: 'ps', args, timeLimitMs: TIME_LIMIT_MS, signal, outputMaxBytes: OUTPUT_MAX_BYTES });
}

/** ps writes one line a process, with `?` for what is no printable ASCII. */
export function parseProcesses(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const groups = LINE.exec(line)?.groups;
    if (groups === undefined) return [];
    const unit = groups['unit']!;
    return {
      pid: Number(groups['pid']),
      parentPid: Number(groups['parentPid']),
      ageSeconds: Number(groups['age']),
      unit: unit === '-' || unit === '?' ? null : unit,
      command: groups['command']!.trimEnd().slice(0, COMMAND_MAX_CHARS),
    };
  });
}

export function withoutFamily(processes: readonly ProcessEntry[], pid: number): ProcessEntry[] {
  const parents = new Map(processes.map((entry) => [entry.pid, entry.parentPid]));
  const belongs = (entry: ProcessEntry): boolean => {
    const seen = new Set<number>();
    for (let at: number | undefined = entry.pid; at !== undefined && !seen.has(at); at = parents.get(at)) {
      if (at === pid) return true;
      seen.add(at);
    }
    return false;
  };
  return processes.filter((entry) => !belongs(entry));
}
