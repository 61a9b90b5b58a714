import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readOperatorFolder } from '../../src/signatures/operator-folder.ts';
import { tempFolder } from '../build/temp-folder.ts';

const OWN_UID = process.getuid!();

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = tempFolder(t, files);
  for (const name of Object.keys(files)) chmodSync(join(folder, name), 0o644);
  return folder;
}

function refusals(folder: string): string[] {
  return readOperatorFolder(folder, OWN_UID).refused.map(({ path, why }) => `${path.slice(folder.length + 1)}: ${why}`);
}

test('the YAML files of the folder, by name', (t) => {
  const folder = folderWith(t, { 'b.yaml': 'id: b', 'a.yaml': 'id: a', 'notes.txt': 'x' });
  const { files, refused } = readOperatorFolder(folder, OWN_UID);
  assert.deepEqual(
    [files, refused],
    [
      [
        { name: 'a.yaml', text: 'id: a' },
        { name: 'b.yaml', text: 'id: b' },
      ],
      [],
    ],
  );
});

test('a folder that is not there has none', () =>
  assert.deepEqual(readOperatorFolder('/no/such/folder', 0), { files: [], refused: [] }));

test('a folder or file of another user is refused', (t) => {
  const folder = folderWith(t, { 'a.yaml': 'id: a' });
  const { files, refused } = readOperatorFolder(folder, OWN_UID + 1);
  assert.deepEqual([files, refused.length], [[], 1]);
  assert.match(refused[0]!.why, /it belongs to user/);
});

test('what group or others may write to is refused', (t) => {
  const folder = folderWith(t, { 'a.yaml': 'id: a', 'b.yaml': 'id: b', 'c.yaml': 'id: c' });
  chmodSync(join(folder, 'a.yaml'), 0o664);
  chmodSync(join(folder, 'b.yaml'), 0o646);
  assert.deepEqual(
    readOperatorFolder(folder, OWN_UID).files.map(({ name }) => name),
    ['c.yaml'],
  );
  assert.equal(refusals(folder).length, 2);
  chmodSync(folder, 0o777);
  assert.deepEqual(readOperatorFolder(folder, OWN_UID).files, []);
});

test('links, pipes, folders and large files are refused, and nothing waits', (t) => {
  const folder = folderWith(t, { 'large.yaml': 'x'.repeat(256 * 1024 + 1), 'fits.yaml': 'x'.repeat(256 * 1024) });
  symlinkSync('fits.yaml', join(folder, 'link.yaml'));
  mkdirSync(join(folder, 'folder.yaml'));
  spawnSync('mkfifo', [join(folder, 'pipe.yaml')]);
  assert.deepEqual(
    readOperatorFolder(folder, OWN_UID).files.map(({ name }) => name),
    ['fits.yaml'],
  );
  assert.deepEqual(refusals(folder), [
    'folder.yaml: it is not a regular file',
    'large.yaml: it is larger than 256 KiB',
    'link.yaml: it is a symbolic link or not a folder',
    'pipe.yaml: it is not a regular file',
  ]);
});

test('a folder that is a link, or no folder, is refused', (t) => {
  const folder = folderWith(t, { 'real.d': 'x' });
  mkdirSync(join(folder, 'target'));
  writeFileSync(join(folder, 'target', 'a.yaml'), 'id: a');
  symlinkSync('target', join(folder, 'link'));
  renameSync(join(folder, 'real.d'), join(folder, 'file'));
  for (const name of ['link', 'file'])
    assert.deepEqual(
      [
        readOperatorFolder(join(folder, name), OWN_UID).files,
        readOperatorFolder(join(folder, name), OWN_UID).refused.length,
      ],
      [[], 1],
    );
});
