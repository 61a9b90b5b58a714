import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { hasIntegrity, readFromTarball } from '../../build/base-binary.ts';

test('only the sha512 of the very bytes counts as integrity', () => {
  const bytes = Buffer.from('node');
  const sha512 = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  assert.equal(hasIntegrity(bytes, sha512), true);
  assert.equal(hasIntegrity(bytes, `sha512-other ${sha512}`), true);
  assert.equal(hasIntegrity(Buffer.from('Node'), sha512), false);
  assert.equal(hasIntegrity(bytes, `sha1-${createHash('sha1').update(bytes).digest('base64')}`), false);
});

test('a file is read out of a tarball, wherever it stands', async () => {
  const tarball = pack();
  tarball.entry({ name: 'package/README.md' }, 'read me');
  tarball.entry({ name: 'package/bin/node' }, 'binary');
  tarball.finalize();
  const gzipped = gzipSync(await buffer(tarball));
  assert.equal((await readFromTarball(gzipped, 'package/bin/node')).toString(), 'binary');
  await assert.rejects(readFromTarball(gzipped, 'package/bin/npm'), /no package\/bin\/npm/);
});
