// Do the units of the boot run, or have they ended well? Of one that hangs it names the process that it waits for.
import type { ProcessEntry, UnitProperties } from '../../host/system.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe, ProbeAnswer } from '../probe.ts';
import { waitedFor } from './unit-process.ts';

type Code = 'ok' | 'unit-failed' | 'unit-restarting' | 'unit-stuck' | 'no-systemd';

/** Of all families; a node has only some of them. */
const UNITS = `
  nodeadm-boot-hook nodeadm-config nodeadm-run
  cloud-init-local cloud-init cloud-init-main cloud-init-network cloud-config cloud-final
  early-boot-config sundog pluto settings-applier
  containerd docker sandbox-image kubelet snap.kubelet-eks.daemon`
  .trim()
  .split(/\s+/)
  .map((name) => `${name}.service`);
/** Times are in µs since the boot; systemd 219 does not know the number of restarts. */
const PROPERTIES = [
  'ActiveState',
  'SubState',
  'Result',
  'NRestarts',
  'ExecMainStatus',
  'InactiveExitTimestampMonotonic',
  'ActiveEnterTimestampMonotonic',
  'StateChangeTimestampMonotonic',
];
const STUCK_AFTER_SECONDS = 60;
/** Users' scripts and packages may take their time. */
const STUCK_AFTER_LONG_SECONDS = 120;
const LONG = /^cloud-/;
/** One that came up after this many restarts, and not long ago, is in a loop. */
const LOOP_RESTARTS = 3;
const LOOP_UP_SECONDS = 60;
const COMMAND_MAX_CHARS = 200;

export const unitsHealthy: Probe<Code> = {
  name: 'units-healthy',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: 'No unit of the boot has failed or hangs.' },
    'unit-failed': { outcome: 'fail', sentence: '{unit} has failed ({result}, exit status {exit_status}).' },
    'unit-restarting': {
      outcome: 'fail',
      sentence: '{unit} ends again and again (restarts: {restarts}, {result}, exit status {exit_status}).',
    },
    'unit-stuck': {
      outcome: 'fail',
      sentence: '{unit} has been starting for {since_seconds} s (it waits for `{process}`, {process_seconds} s old).',
    },
    'no-systemd': { outcome: 'skipped', sentence: 'Not asked: systemd does not run here.' },
  },
  async ask({ system, host, signal }) {
    const units = await system.units(UNITS, PROPERTIES, signal);
    if (units === null) return { code: 'no-systemd', facts: {} };
    const nowSeconds = host.clock.monotonicMs() / 1_000;
    const troubled = units.flatMap((unit) => troubleOf(unit, nowSeconds) ?? []);
    if (troubled.length === 0) return { code: 'ok', facts: {} };
    const processes = troubled.some(({ code }) => code === 'unit-stuck')
      ? ((await system.processes(signal)) ?? [])
      : [];
    return troubled.map((answer) => (answer.code === 'unit-stuck' ? withProcess(answer, processes) : answer));
  },
};

function troubleOf(unit: UnitProperties, nowSeconds: number): ProbeAnswer<Code> | null {
  const since = (property: string): number | null => {
    const us = Number(unit.get(property) ?? 0);
    return us > 0 ? Math.max(0, Math.round(nowSeconds - us / 1_000_000)) : null;
  };
  const id = unit.get('Id')!;
  const [active, sub] = [unit.get('ActiveState'), unit.get('SubState')];
  const restarts = unit.has('NRestarts') ? Number(unit.get('NRestarts')) : null;
  const facts = (sinceSeconds: number | null, more: Parameters<typeof compactFacts>[0] = {}) =>
    compactFacts({
      unit: id,
      since_seconds: sinceSeconds,
      result: unit.get('Result'),
      exit_status: Number(unit.get('ExecMainStatus') ?? Number.NaN),
      ...more,
    });
  if (active === 'failed') return { code: 'unit-failed', facts: facts(since('StateChangeTimestampMonotonic')) };
  const upSeconds = since('ActiveEnterTimestampMonotonic') ?? Infinity;
  const isLoop = active === 'active' && (restarts ?? 0) >= LOOP_RESTARTS && upSeconds < LOOP_UP_SECONDS;
  if (sub === 'auto-restart' || isLoop)
    return { code: 'unit-restarting', facts: facts(since('StateChangeTimestampMonotonic'), { restarts }) };
  if (active !== 'activating') return null;
  const seconds = since('InactiveExitTimestampMonotonic');
  const bar = LONG.test(id) ? STUCK_AFTER_LONG_SECONDS : STUCK_AFTER_SECONDS;
  return seconds === null || seconds < bar
    ? null
    : { code: 'unit-stuck', facts: compactFacts({ unit: id, since_seconds: seconds, restarts }) };
}

/** Of the unit's processes that wait for no other, the oldest. */
function withProcess({ code, facts }: ProbeAnswer<Code>, processes: readonly ProcessEntry[]): ProbeAnswer<Code> {
  const [leaf] = waitedFor(processes.filter(({ unit }) => unit === facts['unit']));
  if (leaf === undefined) return { code, facts };
  return {
    code,
    facts: { ...facts, process: leaf.command.slice(0, COMMAND_MAX_CHARS), process_seconds: leaf.ageSeconds },
  };
}
