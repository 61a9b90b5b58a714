import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeChecksums } from '../../build/checksums.ts';
import { tempFolder } from './temp-folder.ts';

test('sha256sum accepts the checksums', async (t) => {
  const folder = tempFolder(t, { one: '1', two: '22' });
  assert.deepEqual(await writeChecksums(folder, [join(folder, 'one'), join(folder, 'two')]), [1, 2]);
  const { stdout, status } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.deepEqual({ stdout, status }, { stdout: 'one: OK\ntwo: OK\n', status: 0 });
});
