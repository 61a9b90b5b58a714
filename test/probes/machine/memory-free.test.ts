import { memoryFree } from '../../../src/probes/machine/memory-free.ts';
import { testCases, waiting } from '../fakes.ts';

const MIB = 1024 * 1024;

testCases(memoryFree, [
  {
    title: 'enough',
    system: { memory: async () => ({ totalBytes: 2_000 * MIB, availableBytes: 100 * MIB, swapBytes: 0 }) },
    gives: [{ outcome: 'ok', code: 'ok', facts: { available_mib: 100, total_mib: 2_000 } }],
  },
  {
    title: 'less than the kubelet bears',
    system: { memory: async () => ({ totalBytes: 2_000 * MIB, availableBytes: 99.5 * MIB, swapBytes: 0 }) },
    gives: [{ outcome: 'fail', code: 'memory-pressure', facts: { available_mib: 99, total_mib: 2_000 } }],
  },
  { title: 'no answer', system: { memory: waiting }, gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }] },
]);
