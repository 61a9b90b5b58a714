import type { HttpRequest } from '../../../src/host/network/network.ts';
import { NetworkError } from '../../../src/host/network/network.ts';
import { clockRight } from '../../../src/probes/machine/clock-right.ts';
import { testCases, waiting } from '../fakes.ts';

const WALL_MS = Date.UTC(2025, 4, 1, 12);

function chrony(system: string, leap: string) {
  const stdout = `Reference ID    : A9FEA97B (169.254.169.123)\nStratum         : 4\nSystem time     : ${system} of NTP time\nLeap status     : ${leap}\n`;
  return { runTool: async () => ({ exitCode: 0, stdout, stderr: '' }) };
}

/** A server whose clock is so many seconds behind ours; by host name, others do not answer. */
function dated(hosts: Readonly<Record<string, number>>) {
  return {
    request: async ({ host }: HttpRequest) => {
      const behind = hosts[host];
      if (behind === undefined) throw new NetworkError('connect-timeout', 'ETIMEDOUT');
      return { address: '', elapsedMs: 1, status: 401, headers: {}, body: '', dateMs: WALL_MS - behind * 1_000 };
    },
  };
}

const METADATA = '169.254.169.254';
const KUBECONFIG = 'clusters: [{cluster: {server: "https://api.example:8443", certificate-authority: /ca.crt}}]';
const cluster = { '/var/lib/kubelet/kubeconfig': KUBECONFIG, '/ca.crt': '-----BEGIN CERTIFICATE-----\n' };

testCases(clockRight, [
  {
    title: 'chrony keeps it',
    system: chrony('0.000012345 seconds slow', 'Normal'),
    gives: [{ outcome: 'ok', code: 'ok', facts: { offset_seconds: 0, source: 'chrony' } }],
  },
  {
    title: 'chrony is still turning it',
    system: chrony('412.250000000 seconds slow', 'Normal'),
    gives: [{ outcome: 'fail', code: 'clock-off', facts: { offset_seconds: -412.25, source: 'chrony' } }],
  },
  {
    title: 'chrony has no source, and the metadata answers with another time',
    wallMs: WALL_MS,
    system: chrony('0.000000000 seconds fast', 'Not synchronised'),
    network: dated({ [METADATA]: 3_600 }),
    gives: [{ outcome: 'fail', code: 'clock-off', facts: { offset_seconds: 3_600, source: 'instance metadata' } }],
  },
  {
    title: 'chrony has no source, and it is right all the same',
    wallMs: WALL_MS,
    system: chrony('0.000000000 seconds fast', 'Not synchronised'),
    network: dated({ [METADATA]: 0 }),
    gives: [{ outcome: 'ok', code: 'not-synchronized', facts: { offset_seconds: 0, source: 'instance metadata' } }],
  },
  {
    title: 'systemd-timesyncd keeps it',
    files: { '/run/systemd/timesync/synchronized': '' },
    gives: [{ outcome: 'ok', code: 'ok', facts: { source: 'systemd-timesyncd' } }],
  },
  {
    title: 'no service is known, the metadata is out of reach, the cluster answers',
    wallMs: WALL_MS,
    files: cluster,
    network: dated({ 'api.example': -120 }),
    gives: [{ outcome: 'fail', code: 'clock-off', facts: { offset_seconds: -120, source: 'cluster endpoint' } }],
  },
  {
    title: 'nobody tells the time',
    wallMs: WALL_MS,
    files: cluster,
    network: dated({}),
    gives: [{ outcome: 'skipped', code: 'unknown', facts: {} }],
  },
  {
    title: 'no answer',
    system: { runTool: (_name, _args, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);
