// The processes of the running node as an input like the `ps` list of a bundle: a stall finds in it what hangs.
import { HostError } from '../host/host.ts';
import type { ProcessEntry, System } from '../host/system.ts';
import type { StreamTable } from '../types.ts';
import type { Input, InputSource } from './input.ts';
import { bytesSource } from './capture/peek.ts';

const NAME = 'process list';
/** streams.yaml knows a list of processes by its file's name. */
const PATH = '/live/ps.txt';
/** Above the limits that the list has itself. */
const LIMIT_MS = 5_000;
const KTHREADD_PID = 2;

/** Listed when it is opened. A list that cannot be had is refused: an empty one would say that nothing hangs. */
export function liveProcesses(system: Pick<System, 'processes'>, { processList }: StreamTable): InputSource {
  const described = { name: NAME, path: PATH, exported: false, sizeBytes: null };
  return {
    ...described,
    stream: processList,
    mtimeMs: null,
    async open(): Promise<Input> {
      const processes = await system.processes(AbortSignal.timeout(LIMIT_MS)).catch(() => null);
      if (processes === null) throw new HostError('read-failed', 'ps');
      return { ...described, notChecked: [], ...bytesSource(Buffer.from(listOf(processes))) };
    },
    // Nothing of it tells a time: a date in a command line may be any.
    survey: async () => ({ head: Buffer.alloc(0), tail: Buffer.alloc(0) }),
  };
}

/** As `ps -eo pid,ppid,etime,unit,args` writes it, without the kernel's threads. */
function listOf(processes: readonly ProcessEntry[]): string {
  const rows = processes.filter(({ pid, parentPid }) => pid !== KTHREADD_PID && parentPid !== KTHREADD_PID).map(rowOf);
  return ['    PID    PPID     ELAPSED UNIT                            COMMAND', ...rows, ''].join('\n');
}

function rowOf({ pid, parentPid, ageSeconds, unit, command }: ProcessEntry): string {
  const columns = [
    String(pid).padStart(7),
    String(parentPid).padStart(7),
    elapsed(ageSeconds).padStart(11),
    (unit ?? '-').padEnd(31),
  ];
  return `${columns.join(' ')} ${command.replaceAll(/\p{Cc}/gu, '?')}`;
}

/** `[[days-]hours:]minutes:seconds`. */
function elapsed(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const clock = `${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (seconds < 3_600) return clock;
  const hours = `${two((seconds / 3_600) % 24)}:${clock}`;
  return seconds < 86_400 ? hours : `${Math.floor(seconds / 86_400)}-${hours}`;
}
