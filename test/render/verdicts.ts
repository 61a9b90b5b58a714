// Verdicts for tests: one with everything in it, to be changed field by field.
import { redactVerdict } from '../../src/redaction/redact.ts';
import type { NodeFacts, RedactedVerdict, Verdict } from '../../src/types.ts';

const NODE: NodeFacts = {
  instanceId: 'i-0a1b2c3d4e5f60718',
  instanceType: 'm6i.large',
  region: 'eu-central-1',
  availabilityZone: 'eu-central-1b',
  account: '111122223333',
  partition: 'aws',
  amiId: null,
  privateDnsName: null,
  vpcId: null,
  subnetId: null,
  securityGroups: null,
  roleName: null,
  roleArn: null,
  cluster: 'shop-staging',
  endpointHost: null,
  nodePool: null,
  capacityType: null,
  kubeletVersion: '1.29.15',
  os: 'al2',
};

export const FAILED: Verdict = {
  schemaVersion: 1,
  id: '0123456789abcdef0123456789abcdef',
  status: 'failed',
  final: false,
  cause: {
    id: 'swap-enabled',
    title: 'Swap is switched on',
    confidence: 'high',
    possible: false,
    repair: 'fix-first',
    summary: 'The kubelet refuses to run because swap is switched on.',
    check: [{ text: 'Swap is listed there.', command: 'swapon --show', where: 'node' }],
    remedy: [
      { text: 'Switch swap off.', command: 'swapoff -a && systemctl restart kubelet', where: 'node' },
      {
        text: 'Find what switches it on.',
        command: 'grep -n swap /etc/fstab\nsystemctl list-units --type=swap --all',
        where: 'node',
      },
      { text: 'Keep it out of the AMI.', command: null, where: 'admin' },
    ],
    references: ['https://kubernetes.io/docs/concepts/architecture/nodes/#swap-memory'],
  },
  otherCauses: [
    {
      id: 'disk-full',
      title: 'The disk is full',
      confidence: 'low',
      firstAt: '2025-05-06T08:15:40.000Z',
      lastAt: '2025-05-06T08:15:41.000Z',
      count: 2,
      explainedBy: null,
    },
  ],
  symptoms: [
    {
      id: 'cri-unavailable',
      title: 'The runtime does not answer',
      confidence: 'medium',
      firstAt: null,
      lastAt: null,
      count: 1,
      explainedBy: 'swap-enabled',
    },
  ],
  recovered: [
    {
      id: 'imds-unreachable',
      title: 'IMDS does not answer',
      state: 'recovered',
      lastAt: '2025-05-06T08:15:39.000Z',
      by: 'imds-answered',
    },
  ],
  phase: { reached: 'cloud-init', current: 'kubelet-start', since: '2025-05-06T08:15:44.000Z' },
  timeline: [
    { phase: 'cloud-init', title: 'cloud-init', state: 'finished', startedAt: '2025-05-06T08:15:30.000Z', seconds: 5 },
    { phase: 'kubelet-start', title: 'kubelet', state: 'failed', startedAt: '2025-05-06T08:15:40.000Z', seconds: null },
  ],
  evidence: [
    {
      stream: 'kubelet',
      time: '2025-05-06T08:15:44.000Z',
      origin: 'var_log/messages:5087',
      line: 'May  6 08:15:44 ip-10-20-30-40 kubelet: E0506 08:15:44.123456 3214 run.go:74] "command failed" err="running with swap on is not supported"',
      signature: 'swap-enabled/kubelet-refuses-swap',
      count: 12,
      context: {
        before: ['May  6 08:15:43 ip-10-20-30-40 systemd: Started kubelet.service.'],
        after: ['May  6 08:15:44 ip-10-20-30-40 systemd: kubelet.service: Main process exited, status=1/FAILURE'],
      },
    },
  ],
  probes: [
    {
      probe: 'swap-off',
      outcome: 'fail',
      code: 'swap-on',
      facts: { swap_device: '/swapfile', swap_mib: 1024 },
      elapsedMs: 12,
      bearing: 'proves',
    },
    { probe: 'clock-right', outcome: 'ok', code: 'ok', facts: { offset_seconds: 0 }, elapsedMs: 3, bearing: null },
  ],
  notChecked: [{ what: 'containerd.log', code: 'missing', detail: '' }],
  node: NODE,
  tool: { version: '0.1.0', packDigest: 'ab'.repeat(32), replaced: [], added: ['own-cause'], disabled: [] },
  bootId: null,
  sequence: 0,
  at: '2025-05-06T08:18:54.000Z',
  uptimeSeconds: 204,
};

export const UNKNOWN: Verdict = {
  ...FAILED,
  status: 'unknown',
  cause: null,
  otherCauses: [],
  symptoms: [],
  evidence: [{ ...FAILED.evidence[0]!, signature: 'last-error', count: 1 }],
};

export function redacted(verdict: Verdict): RedactedVerdict {
  return redactVerdict(verdict);
}
