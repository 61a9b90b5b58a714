// Tells whether journald runs, by its control group: its sockets stay open and its files readable without it. Starts nothing.
import { type Host, HostError } from '../../host/host.ts';

/** cgroup v2, v1, and both. */
const HIERARCHIES = ['/sys/fs/cgroup', '/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'].map(
  (path) => `${path}/system.slice`,
);
const UNIT = 'systemd-journald.service';
const READ_BYTES = 4_096;
/** `T`: stopped by a signal; `Z`: dead already. The name before it may hold anything. */
const HALTED = /^\d+ \(.*\) [TtZX] /s;

/** `unknown` where systemd keeps no control groups that can be read. @throws nothing of the machine's */
export async function journaldState(host: Host): Promise<'runs' | 'stopped' | 'unknown'> {
  let state: 'stopped' | 'unknown' = 'unknown';
  for (const slice of HIERARCHIES) {
    if ((await textOf(host, `${slice}/cgroup.procs`)) === null) continue;
    state = 'stopped';
    const pids = (await textOf(host, `${slice}/${UNIT}/cgroup.procs`))?.split('\n').filter(Boolean) ?? [];
    for (const pid of pids) if (!HALTED.test((await textOf(host, `/proc/${pid}/stat`)) ?? '0 () X ')) return 'runs';
  }
  return state;
}

async function textOf(host: Host, path: string): Promise<string | null> {
  try {
    const file = await host.openFile(path);
    try {
      const into = Buffer.alloc(READ_BYTES);
      return into.toString('latin1', 0, await file.read(into));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}
