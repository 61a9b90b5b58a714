// Reads how much memory and swap the machine has, through systeminformation: of its functions only `mem` is fit for a process
// that must not hang. On Linux it reads /proc/meminfo and starts nothing. `osInfo` waits for `hostname -f`, and so for a dead
// resolver, with the whole event loop; `processes` looks up paths from other users' command lines in this process, starts a
// `cat` a process, and drops the arguments of commands that hold a colon (5.33.23, lib/osinfo.js, lib/processes.js).
import type { MemoryTotals } from '../system.ts';
import { untilAborted } from '../../lib/until-aborted.ts';

/** @throws the signal's reason */
export async function memoryTotals(signal: AbortSignal): Promise<MemoryTotals> {
  const { mem } = await import('systeminformation/lib/memory.js');
  const { total, available, swaptotal } = await untilAborted(mem(), signal);
  return { totalBytes: total, availableBytes: available, swapBytes: swaptotal };
}
