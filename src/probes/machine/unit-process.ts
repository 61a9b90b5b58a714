// Says which processes a unit waits for.
import type { ProcessEntry } from '../../host/system.ts';

/** They only carry the output of others, such as cloud-init's own `tee`, and live as long as these. */
const RELAYS = /^(?:\S*\/)?(?:tee|logger|cat|systemd-cat)(?:\s|$)/;
const SHELL_OF_RELAY = /^(?:\S*\/)?(?:ba)?sh -c (?:tee|logger|cat)\s/;

/** Of a unit's processes, or of those below one of them, the ones that wait for no other, the oldest first. */
export function waitedFor(processes: readonly ProcessEntry[], parentPid: number | null = null): ProcessEntry[] {
  const working = processes.filter(({ command }) => !RELAYS.test(command) && !SHELL_OF_RELAY.test(command));
  const below = parentPid === null ? working : descendants(working, parentPid);
  const parents = new Set(below.map((entry) => entry.parentPid));
  return below.filter(({ pid }) => !parents.has(pid)).toSorted((a, b) => b.ageSeconds - a.ageSeconds);
}

function descendants(processes: readonly ProcessEntry[], parentPid: number): ProcessEntry[] {
  const pids = new Set([parentPid]);
  // A list is sorted by id, and ids may have begun anew: until nothing more is found.
  for (let known = 0; known !== pids.size;) {
    known = pids.size;
    for (const entry of processes) if (pids.has(entry.parentPid)) pids.add(entry.pid);
  }
  return processes.filter(({ pid }) => pid !== parentPid && pids.has(pid));
}
