import type { ProcessEntry } from '../../../src/host/system.ts';
import { userDataEnded } from '../../../src/probes/machine/user-data-ended.ts';
import { type Case, testCases, waiting } from '../fakes.ts';

const OUTPUT = '/var/log/cloud-init-output.log';
const PART = '/bin/bash /var/lib/cloud/instance/scripts/part-002';

function list(...rows: readonly [number, number, number, string, string?][]): Pick<Case, 'system'> {
  const processes = rows.map(([pid, parentPid, ageSeconds, command, unit = 'cloud-final']): ProcessEntry => ({
    pid,
    parentPid,
    ageSeconds,
    unit: `${unit}.service`,
    command,
  }));
  return { system: { processes: async () => processes } };
}

const CLOUD_INIT: readonly [number, number, number, string][] = [
  [700, 1, 171, '/usr/bin/python3 /usr/bin/cloud-init modules --mode=final'],
  [704, 700, 170, '/bin/sh -c tee -a /var/log/cloud-init-output.log'],
  [705, 704, 170, 'tee -a /var/log/cloud-init-output.log'],
];

testCases(userDataEnded, [
  { title: 'nothing runs', ...list([1, 0, 900, '/usr/lib/systemd/systemd', 'init']), gives: good() },
  { title: 'a part has just begun', ...list(...CLOUD_INIT, [710, 700, 59, PART]), gives: good() },
  {
    title: 'another unit runs a copy of a part',
    ...list(...CLOUD_INIT, [710, 700, 290, PART, 'session-2']),
    gives: good(),
  },
  {
    title: 'the part, its youngest command and the last three lines, never the tee of cloud-init or of the script',
    ...list(
      ...CLOUD_INIT,
      [710, 700, 158, PART],
      [711, 710, 158, 'tee -a /var/log/setup.log'],
      [712, 710, 150, 'bash /opt/acme/install-agent.sh'],
      [713, 712, 41, 'curl -sSfL http://mirror.acme.internal/agent.rpm -o /tmp/agent.rpm'],
    ),
    files: {
      [OUTPUT]: `first line\n${'x'.repeat(5_000)}\nStep 3: certificates\n\nStep 4: agent\n  % Total\r  0     0\n${'y'.repeat(90)}\n`,
    },
    gives: [
      {
        outcome: 'fail',
        code: 'running',
        facts: {
          script: 'scripts/part-002',
          script_seconds: 158,
          process: 'curl -sSfL http://mirror.acme.internal/agent.rpm -o /tmp/agent.rpm',
          process_seconds: 41,
          printed: `% Total / 0     0 / ${'y'.repeat(60)}`,
        },
      },
    ],
  },
  {
    title: 'a part that calls nothing and whose output cannot be read; ids have begun anew',
    ...list(
      ...CLOUD_INIT,
      [90, 80, 60, 'sleep 3600', 'sshd'],
      [12, 32_001, 61, '/bin/sh /var/lib/cloud/instances/i-0a1b2c3d4e5f60718/scripts/runcmd'],
    ),
    gives: [{ outcome: 'fail', code: 'running', facts: { script: 'scripts/runcmd', script_seconds: 61 } }],
  },
  { title: 'no ps', gives: [{ outcome: 'skipped', code: 'no-processes', facts: {} }] },
  {
    title: 'no answer',
    system: { processes: (signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);

function good(): Case['gives'] {
  return [{ outcome: 'ok', code: 'ok', facts: {} }];
}
