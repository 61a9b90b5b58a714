import { containerdAnswering } from '../../../src/probes/components/containerd-answering.ts';
import { testCases, waiting } from '../fakes.ts';

const facts = { path: '/run/containerd/containerd.sock' };

testCases(containerdAnswering, [
  { title: 'answers', system: { askSocket: async () => 'answered' }, gives: [{ outcome: 'ok', code: 'ok', facts }] },
  { title: 'no socket', gives: [{ outcome: 'fail', code: 'socket-missing', facts }] },
  {
    title: 'a socket that nobody listens on',
    system: { askSocket: async () => 'refused' },
    gives: [{ outcome: 'fail', code: 'refused', facts }],
  },
  {
    title: 'a server that is stopped',
    system: { askSocket: (_path, _hello, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);
