// The signature over a release's sums: checked by the public key, and broken by any other text.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sign } from '../../build/release/sign.ts';
import { tempFolder } from './temp-folder.ts';

test('minisign accepts the sums with a key that was just made, and not once they were changed', async (t) => {
  const folder = tempFolder(t, { SHA256SUMS: 'ab  file\n' });
  const [secret, open, file] = ['secret', 'public', 'SHA256SUMS'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const made = spawnSync('minisign', ['-G', '-W', '-s', secret, '-p', open]);
  if (made.error !== undefined) return t.skip('minisign is not installed');
  await sign(file, secret, 'eks-bootstrap-analyzer 1.0.0');
  const verify = () => spawnSync('minisign', ['-V', '-p', open, '-m', file], { encoding: 'utf8' });
  const { status, stdout } = verify();
  assert.equal(status, 0);
  assert.match(stdout, /^Trusted comment: eks-bootstrap-analyzer 1\.0\.0$/m);
  appendFileSync(file, 'cd  other\n');
  assert.notEqual(verify().status, 0);
});
