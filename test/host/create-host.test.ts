import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from '../../src/host/create-host.ts';
import { folderWith } from './folder-with.ts';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

test('the machine itself has its own boot id and clocks', async () => {
  const host = createHost();
  assert.equal(host.root, null);
  assert.equal(await host.bootId(), readFileSync(BOOT_ID, 'utf8').trim().replaceAll('-', ''));
  assert.equal(await host.isRootOfThisBoot(), true);
  assert.ok(Math.abs(host.clock.wallMs() - Date.now()) < 1_000);
  assert.ok(host.clock.monotonicMs() < Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000 + 1_000);
});

test('a root of this boot is told from a dead one by the boot id in its own /proc', async (t) => {
  const own = readFileSync(BOOT_ID, 'utf8');
  assert.equal(await createHost({ root: folderWith(t, { [BOOT_ID]: own }) }).isRootOfThisBoot(), true);
  assert.equal(
    await createHost({ root: folderWith(t, { [BOOT_ID]: own.replaceAll(/\d/g, '0') }) }).isRootOfThisBoot(),
    false,
  );
  assert.equal(await createHost({ root: folderWith(t) }).isRootOfThisBoot(), false);
});

test("a dead root with a link to /proc does not show this machine's boot id", async (t) => {
  const root = folderWith(t);
  symlinkSync('/proc', join(root, 'proc'));
  assert.equal(await createHost({ root }).isRootOfThisBoot(), false);
});

test('a root that is not there is refused, and / is the machine itself', () => {
  assert.throws(() => createHost({ root: '/no/such/root' }), { code: 'missing' });
  assert.equal(createHost({ root: '/' }).root, null);
});
