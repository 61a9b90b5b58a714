// Is there memory left? The bar is the kubelet's own: below 100 MiB it evicts pods (memory.available, its default).
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'memory-pressure';

const MIB_BYTES = 1024 * 1024;
const PRESSURE_BYTES = 100 * MIB_BYTES;

export const memoryFree: Probe<Code> = {
  name: 'memory-free',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: '{available_mib} of {total_mib} MiB of memory are available.' },
    'memory-pressure': {
      outcome: 'fail',
      sentence: 'Only {available_mib} of {total_mib} MiB of memory are available.',
    },
  },
  async ask({ system, signal }) {
    const { totalBytes, availableBytes } = await system.memory(signal);
    const facts = {
      available_mib: Math.floor(availableBytes / MIB_BYTES),
      total_mib: Math.floor(totalBytes / MIB_BYTES),
    };
    return { code: availableBytes < PRESSURE_BYTES ? 'memory-pressure' : 'ok', facts };
  },
};
