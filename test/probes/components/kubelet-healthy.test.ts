import { kubeletHealthy } from '../../../src/probes/components/kubelet-healthy.ts';
import { testCases, waiting } from '../fakes.ts';

testCases(kubeletHealthy, [
  {
    title: '200',
    system: { askLoopback: async () => ({ kind: 'answered', status: 200, body: 'ok' }) },
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  { title: 'nobody listens', gives: [{ outcome: 'fail', code: 'refused', facts: {} }] },
  {
    title: '500',
    system: { askLoopback: async () => ({ kind: 'answered', status: 500, body: 'healthz check failed' }) },
    gives: [{ outcome: 'fail', code: 'unhealthy', facts: { status: 500 } }],
  },
  {
    title: 'nonsense',
    system: { askLoopback: async () => ({ kind: 'failed' }) },
    gives: [{ outcome: 'fail', code: 'unhealthy', facts: {} }],
  },
  {
    title: 'silence',
    system: { askLoopback: (_port, _path, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);
