import type { FileSystemSpace } from '../../../src/host/system.ts';
import { diskSpaceLeft } from '../../../src/probes/machine/disk-space-left.ts';
import { testCases, waiting } from '../fakes.ts';

const MIB = 1024 * 1024;

function space(id: string, availableMib: number, usedPercent: number, freeInodes = 900_000): FileSystemSpace {
  return { kind: 'known', id, availableBytes: availableMib * MIB, usedPercent, inodes: 1_000_000, freeInodes };
}

const ROOT = space('root', 15_000, 25);

/** Paths that are not named lie on the root file system. */
function mounted(mounts: Readonly<Record<string, FileSystemSpace>>): {
  space: (path: string) => Promise<FileSystemSpace>;
} {
  return { space: async (path) => mounts[path] ?? ROOT };
}

testCases(diskSpaceLeft, [
  {
    title: 'one file system',
    system: mounted({}),
    gives: [{ outcome: 'ok', code: 'ok', facts: { path: '/', used_percent: 25, free_mib: 15_000 } }],
  },
  {
    title: 'the fullest of several is told',
    system: mounted({ '/var/lib/containerd': space('data', 9_000, 60) }),
    gives: [{ outcome: 'ok', code: 'ok', facts: { path: '/var/lib/containerd', used_percent: 60, free_mib: 9_000 } }],
  },
  {
    title: 'each file system in trouble once, and a mount that does not answer beside it',
    system: mounted({
      '/var': space('var', 0, 100),
      '/var/log': space('var', 0, 100),
      '/var/lib/containerd': space('data', 900, 97),
      '/var/lib/kubelet': { kind: 'stuck' },
      '/tmp': space('tmp', 900, 10, 12),
    }),
    gives: [
      { outcome: 'fail', code: 'no-space', facts: { path: '/var', used_percent: 100, free_mib: 0 } },
      { outcome: 'fail', code: 'low-space', facts: { path: '/var/lib/containerd', used_percent: 97, free_mib: 900 } },
      { outcome: 'fail', code: 'no-inodes', facts: { path: '/tmp', used_percent: 10, free_mib: 900 } },
      { outcome: 'timeout', code: 'mount-stuck', facts: { path: '/var/lib/kubelet' } },
    ],
  },
  {
    title: 'a file system without inodes of its own is not out of them',
    system: {
      space: async () => ({
        kind: 'known',
        id: 'b',
        availableBytes: 900 * MIB,
        usedPercent: 50,
        inodes: 0,
        freeInodes: 0,
      }),
    },
    gives: [{ outcome: 'ok', code: 'ok', facts: { path: '/', used_percent: 50, free_mib: 900 } }],
  },
  {
    title: 'nothing known',
    system: { space: async () => ({ kind: 'unknown' }) },
    gives: [{ outcome: 'skipped', code: 'unknown', facts: {} }],
  },
  {
    title: 'no answer',
    system: { space: (_path, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);
