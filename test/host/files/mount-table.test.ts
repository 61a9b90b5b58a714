import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMounts, readMounts } from '../../../src/host/files/mount-table.ts';

test('point and type are read whatever optional fields stand between, and escapes are undone', () => {
  const text = String.raw`22 27 0:21 / /proc rw,relatime - proc proc rw
64 63 0:40 / /mnt/a\040b\134c rw,relatime shared:7 master:2 - fuse.s3fs s3fs rw,user_id=0
65 63 0:41 / /mnt/caf${'\u00c3\u00a9'} rw - nfs4 10.0.0.1:/x rw
no mount at all
`;
  assert.deepEqual(parseMounts(text), [
    { point: '/proc', type: 'proc' },
    { point: '/mnt/a b\\c', type: 'fuse.s3fs' },
    { point: '/mnt/café', type: 'nfs4' },
  ]);
});

test('the machine itself has a /proc', async () => {
  assert.ok((await readMounts()).some(({ point, type }) => point === '/proc' && type === 'proc'));
});
