import type { ProcessEntry, System } from '../../../src/host/system.ts';
import { unitsHealthy } from '../../../src/probes/machine/units-healthy.ts';
import { testCases, waiting } from '../fakes.ts';

const NOW_SECONDS = 1_000;

/** Times in seconds since the boot. */
function unit(
  id: string,
  state: string,
  more: Readonly<Record<string, string | number>> = {},
): ReadonlyMap<string, string> {
  const [active, sub] = state.split('/') as [string, string];
  const all = {
    Id: `${id}.service`,
    ActiveState: active,
    SubState: sub,
    Result: 'success',
    NRestarts: 0,
    ExecMainStatus: 0,
    ...more,
  };
  return new Map(
    Object.entries(all).map(([name, value]) => [
      name,
      name.endsWith('Monotonic') ? `${Number(value) * 1_000_000}` : String(value),
    ]),
  );
}

function process(pid: number, parentPid: number, ageSeconds: number, unit: string, command: string): ProcessEntry {
  return { pid, parentPid, ageSeconds, unit: `${unit}.service`, command };
}

function node(
  units: readonly ReadonlyMap<string, string>[],
  processes: readonly ProcessEntry[] = [],
): { system: Partial<System>; monotonicMs: number } {
  return { system: { units: async () => units, processes: async () => processes }, monotonicMs: NOW_SECONDS * 1_000 };
}

testCases(unitsHealthy, [
  {
    title: 'a good boot',
    ...node([
      unit('nodeadm-config', 'inactive/dead'),
      unit('cloud-final', 'activating/start', { InactiveExitTimestampMonotonic: 970 }),
      unit('kubelet', 'active/running'),
    ]),
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'a failed unit, and one that ends again and again',
    ...node([
      unit('nodeadm-config', 'failed/failed', {
        Result: 'exit-code',
        ExecMainStatus: 1,
        StateChangeTimestampMonotonic: 40,
      }),
      unit('kubelet', 'activating/auto-restart', {
        Result: 'exit-code',
        ExecMainStatus: 1,
        NRestarts: 17,
        StateChangeTimestampMonotonic: 998,
        InactiveExitTimestampMonotonic: 10,
      }),
    ]),
    gives: [
      {
        outcome: 'fail',
        code: 'unit-failed',
        facts: { unit: 'nodeadm-config.service', since_seconds: 960, result: 'exit-code', exit_status: 1 },
      },
      {
        outcome: 'fail',
        code: 'unit-restarting',
        facts: { unit: 'kubelet.service', since_seconds: 2, result: 'exit-code', exit_status: 1, restarts: 17 },
      },
    ],
  },
  {
    title: 'one that is up between two of many ends, but not one that came up long ago',
    ...node([
      unit('kubelet', 'active/running', {
        NRestarts: 4,
        ActiveEnterTimestampMonotonic: 996,
        StateChangeTimestampMonotonic: 996,
      }),
      unit('containerd', 'active/running', { NRestarts: 4, ActiveEnterTimestampMonotonic: 300 }),
    ]),
    gives: [
      {
        outcome: 'fail',
        code: 'unit-restarting',
        facts: { unit: 'kubelet.service', since_seconds: 4, result: 'success', exit_status: 0, restarts: 4 },
      },
    ],
  },
  {
    title: 'a stuck unit with the process that it waits for',
    ...node(
      [
        unit('sandbox-image', 'activating/start', { InactiveExitTimestampMonotonic: 400 }),
        unit('cloud-final', 'activating/start', { InactiveExitTimestampMonotonic: 390 }),
      ],
      [
        process(8, 7, 700, 'sandbox-image', 'tee -a /var/log/sandbox-image.log'),
        process(10, 1, 600, 'sandbox-image', 'bash /etc/eks/containerd/pull-sandbox-image.sh'),
        process(11, 10, 130, 'sandbox-image', 'aws ecr get-login-password --region us-west-2'),
        process(12, 10, 2, 'sandbox-image', 'sleep 5'),
        process(20, 1, 700, 'sshd', 'sshd: root'),
      ],
    ),
    gives: [
      {
        outcome: 'fail',
        code: 'unit-stuck',
        facts: {
          unit: 'sandbox-image.service',
          since_seconds: 600,
          restarts: 0,
          process: 'aws ecr get-login-password --region us-west-2',
          process_seconds: 130,
        },
      },
      { outcome: 'fail', code: 'unit-stuck', facts: { unit: 'cloud-final.service', since_seconds: 610, restarts: 0 } },
    ],
  },
  {
    title: 'what systemd 219 says',
    ...node([
      new Map(
        [...unit('kubelet', 'activating/auto-restart', { Result: 'exit-code', ExecMainStatus: 255 })].filter(
          ([name]) => name !== 'NRestarts',
        ),
      ),
    ]),
    gives: [
      {
        outcome: 'fail',
        code: 'unit-restarting',
        facts: { unit: 'kubelet.service', result: 'exit-code', exit_status: 255 },
      },
    ],
  },
  { title: 'no systemd', gives: [{ outcome: 'skipped', code: 'no-systemd', facts: {} }] },
  {
    title: 'no answer',
    system: { units: (_names, _properties, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);
