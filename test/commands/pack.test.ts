import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadPack } from '../../src/commands/pack.ts';
import { readBuiltInPack } from '../../src/signatures/built-in-pack.ts';
import { tempFolder } from '../build/temp-folder.ts';

const OWN_UID = process.getuid!();

test('without a folder the built-in pack', async () => {
  assert.deepEqual(await loadPack('/no/such/folder', 0), { pack: readBuiltInPack(), notChecked: [] });
});

test('a bad and an untrusted file are noted with their place, and the rest counts', async (t) => {
  const files = {
    'bad.yaml': 'id: bad\n',
    'open.yaml': 'x',
    'swap-enabled.yaml': 'id: swap-enabled\ndisabled: true\n',
  };
  const folder = tempFolder(t, files);
  for (const name of Object.keys(files)) chmodSync(join(folder, name), name === 'open.yaml' ? 0o666 : 0o644);
  const { pack, notChecked } = await loadPack(folder, OWN_UID);
  assert.deepEqual(pack.disabled, ['swap-enabled']);
  assert.deepEqual(
    notChecked.map(({ what, code }) => [what, code]),
    [
      [`${folder}/open.yaml`, 'pattern-refused'],
      [`${folder}/bad.yaml:1`, 'pattern-refused'],
    ],
  );
});
