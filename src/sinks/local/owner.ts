// Names this process so that another one can tell whether it still lives: what a dead process began may be taken over.
import { readFileSync } from 'node:fs';

const STAT_START_TIME = 19;
const OWNER = /^(?<pid>\d{1,10})-(?<start>\d{1,20})-(?<boot>[0-9a-f]{8})$/;
let own: string | null = null;

/** `pid-start-boot`: the number is used again, together with its start time and the boot it is not. */
export function ownToken(): string {
  own ??= `${process.pid}-${startOf('self') ?? 0}-${bootOf()}`;
  return own;
}

/** False also for what is no token. A process that was killed and not yet reaped is dead. */
export function isAlive(token: string): boolean {
  if (token === ownToken()) return true;
  const groups = OWNER.exec(token)?.groups;
  return groups !== undefined && groups['boot'] === bootOf() && startOf(groups['pid']!) === groups['start'];
}

/** Clock ticks since boot at which it began (proc(5), field 22); null if there is no such living process. */
function startOf(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZXx]$/.test(fields[0]!) ? null : (fields[STAT_START_TIME] ?? null);
  } catch {
    return null;
  }
}

function bootOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return '00000000';
  }
}
