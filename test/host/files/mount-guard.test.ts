import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMountGuard } from '../../../src/host/files/mount-guard.ts';
import type { Mount } from '../../../src/host/files/mount-table.ts';

const LOCAL: readonly Mount[] = [
  { point: '/', type: 'ext4' },
  { point: '/run', type: 'tmpfs' },
  { point: '/proc/sys/fs/binfmt_misc', type: 'autofs' },
];

/** Mounts with questions that the test answers by hand. */
function setUp(mounts: readonly Mount[]) {
  const asked: string[] = [];
  const answers = new Map<string, (answered: boolean) => void>();
  const clock = { ms: 0 };
  const guard = createMountGuard({
    mounts: async () => [...LOCAL, ...mounts],
    ask: (point) => {
      asked.push(point);
      return new Promise((resolve) => answers.set(point, resolve));
    },
    nowMs: () => clock.ms,
    limitMs: 10,
  });
  return { guard, asked, clock, answer: (point: string, answered = true) => answers.get(point)!(answered) };
}

const DEAD: readonly Mount[] = [
  { point: '/var/lib/kubelet', type: 'fuse' },
  { point: '/mnt/efs', type: 'nfs4' },
];

test('local mounts and automount points are never asked', async () => {
  const { guard, asked } = setUp(DEAD);
  for (const path of [
    '/var/log/messages',
    '/run/x',
    '/proc/sys/fs/binfmt_misc',
    '/mnt/efs2/x',
    '/var/lib/kubelet-data',
  ])
    await guard(path);
  assert.deepEqual(asked, []);
});

test('a path at or below a mount that does not answer is refused with the mount', async () => {
  const { guard, asked } = setUp(DEAD);
  await assert.rejects(guard('/var/lib/kubelet/kubeconfig'), { code: 'mount-stuck', detail: '/var/lib/kubelet' });
  await assert.rejects(guard('/var/lib/kubelet'), { code: 'mount-stuck' });
  assert.deepEqual(asked, ['/var/lib/kubelet', '/mnt/efs']);
});

test('where one is asked all are, at once, and each only once as long as it is silent', async () => {
  const { guard, asked, clock } = setUp(DEAD);
  await assert.rejects(guard('/mnt/efs/x'), { code: 'mount-stuck' });
  clock.ms = 600_000;
  await Promise.all(DEAD.map(({ point }) => assert.rejects(guard(point), { code: 'mount-stuck' })));
  assert.equal(asked.length, DEAD.length);
});

test('a mount that answers in time is let through, and asked again later', async () => {
  const { guard, asked, clock, answer } = setUp(DEAD.slice(0, 1));
  const first = guard('/var/lib/kubelet/x');
  await new Promise(setImmediate);
  answer('/var/lib/kubelet');
  await first;
  await guard('/var/lib/kubelet/y');
  assert.equal(asked.length, 1);
  clock.ms = 20_000;
  await assert.rejects(guard('/var/lib/kubelet/z'), { code: 'mount-stuck' });
  assert.equal(asked.length, 2);
});

test('one that answers late is asked anew', async () => {
  const { guard, asked, answer } = setUp(DEAD.slice(0, 1));
  await assert.rejects(guard('/var/lib/kubelet'), { code: 'mount-stuck' });
  answer('/var/lib/kubelet');
  await new Promise(setImmediate);
  const again = guard('/var/lib/kubelet');
  await new Promise(setImmediate);
  answer('/var/lib/kubelet');
  await again;
  assert.equal(asked.length, 2);
});

test('one whose child could be killed is asked again, but not soon', async () => {
  const { guard, asked, clock, answer } = setUp(DEAD.slice(0, 1));
  const first = guard('/var/lib/kubelet');
  await new Promise(setImmediate);
  answer('/var/lib/kubelet', false);
  await assert.rejects(first, { code: 'mount-stuck' });
  clock.ms = 20_000;
  await assert.rejects(guard('/var/lib/kubelet'), { code: 'mount-stuck' });
  assert.equal(asked.length, 1);
  clock.ms = 70_000;
  await assert.rejects(guard('/var/lib/kubelet'), { code: 'mount-stuck' });
  assert.equal(asked.length, 2);
});

test('a mount below a stuck one is reached through it, and a stuck root is all', async () => {
  const nested = setUp([
    { point: '/mnt', type: 'cifs' },
    { point: '/mnt/disk', type: 'ext4' },
  ]);
  await assert.rejects(nested.guard('/mnt/disk/x'), { code: 'mount-stuck', detail: '/mnt' });
  const root = setUp([{ point: '/', type: 'nfs' }]);
  await assert.rejects(root.guard('/etc/hosts'), { code: 'mount-stuck', detail: '/' });
});

test('very many mounts are asked in portions', async () => {
  const { guard, asked } = setUp(Array.from({ length: 500 }, (_value, at) => ({ point: `/mnt/${at}`, type: 'nfs4' })));
  await assert.rejects(guard('/mnt/499/x'), { code: 'mount-stuck' });
  assert.equal(asked[0], '/mnt/499');
  assert.equal(asked.length, 33);
});
