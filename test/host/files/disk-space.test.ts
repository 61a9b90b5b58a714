import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diskSpace, parseSpace } from '../../../src/host/files/disk-space.ts';

const signal = new AbortController().signal;

test('space is counted as df does, for users who are not root', () => {
  assert.deepEqual(parseSpace('a1b2 1000 300 200 4096 500 20\n'), {
    kind: 'known',
    id: 'a1b2-1000-500',
    availableBytes: 200 * 4_096,
    usedPercent: 78,
    inodes: 500,
    freeInodes: 20,
  });
  const empty = parseSpace('0 0 0 0 4096 0 0');
  assert.equal(empty.kind === 'known' && empty.usedPercent, 0);
  assert.deepEqual(parseSpace('stat: nonsense'), { kind: 'unknown' });
});

test('the root file system has space, and what is not there has none', async () => {
  const root = await diskSpace('/', signal);
  assert.ok(root.kind === 'known' && root.availableBytes > 0 && root.usedPercent <= 100);
  assert.deepEqual(await diskSpace('/no/such/folder', signal), { kind: 'missing' });
});

test('an aborted signal ends it', async () => {
  await assert.rejects(diskSpace('/', AbortSignal.abort(new Error('stopped'))), /stopped/);
});
