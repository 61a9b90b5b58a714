// Tells whether the machine goes down, or only this run was stopped: after `systemctl restart` the boot goes on, and so does the
// diagnosis.
import { within } from '../../lib/within.ts';
import type { System } from '../../host/system.ts';
import { ENDING_LIMIT_MS } from '../../sinks/limits.ts';

const MANAGER = '/run/systemd/system';
/** `shutdown` with a time writes it. */
const SCHEDULED = '/run/systemd/shutdown/scheduled';
/** What `systemctl is-system-running` says of a machine that stays up; `stopping` as soon as a job for shutdown.target is there. */
const STAYS_UP = new Set(['initializing', 'starting', 'running', 'degraded', 'maintenance']);

/** True also where nobody can tell in time: a last word too early is mended by the next run, one that was never said by nobody. */
export async function isMachineEnding(system: Pick<System, 'kindOf' | 'runTool'>): Promise<boolean> {
  const ending = await within(
    ask(system).catch(() => true),
    ENDING_LIMIT_MS,
  );
  return ending.late || ending.value;
}

async function ask(system: Pick<System, 'kindOf' | 'runTool'>): Promise<boolean> {
  const [manager, scheduled, state] = await Promise.all([
    system.kindOf(MANAGER),
    system.kindOf(SCHEDULED),
    system.runTool('systemctl', ['is-system-running'], AbortSignal.timeout(ENDING_LIMIT_MS)),
  ]);
  return manager === null || scheduled !== null || !STAYS_UP.has(state?.stdout.trim() ?? '');
}
