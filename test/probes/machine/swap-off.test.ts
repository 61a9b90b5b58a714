import { swapOff } from '../../../src/probes/machine/swap-off.ts';
import { testCases, waiting } from '../fakes.ts';

const HEADER = 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n';
const ON = `${HEADER}/dev/nvme1n1                            partition\t2097148\t\t0\t\t-2\n/swapfile file\t1024\t0\t-3\n`;
const swap = { swap_mib: 2049, swap_device: '/dev/nvme1n1' };

testCases(swapOff, [
  { title: 'only the header', files: { '/proc/swaps': HEADER }, gives: [{ outcome: 'ok', code: 'ok', facts: {} }] },
  { title: 'two areas', files: { '/proc/swaps': ON }, gives: [{ outcome: 'fail', code: 'swap-on', facts: swap }] },
  {
    title: 'allowed in the configuration',
    files: {
      '/proc/swaps': ON,
      '/etc/kubernetes/kubelet/config.json': '{"failSwapOn": true}',
      '/etc/kubernetes/kubelet/config.json.d/40-nodeadm.conf': '{"failSwapOn":false}',
    },
    gives: [{ outcome: 'ok', code: 'swap-allowed', facts: swap }],
  },
  {
    title: 'totals where there is no list',
    system: { memory: async () => ({ totalBytes: 0, availableBytes: 0, swapBytes: 512 * 1024 * 1024 }) },
    gives: [{ outcome: 'fail', code: 'swap-on', facts: { swap_mib: 512 } }],
  },
  { title: 'no answer', system: { memory: waiting }, gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }] },
]);
