import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFileInOneStep } from '../../../src/sinks/local/file.ts';
import { tempFolder } from '../../build/temp-folder.ts';

test('the file is there, whole, for its owner only, and nothing beside it', async (t) => {
  const folder = tempFolder(t, {});
  await writeFileInOneStep(join(folder, 'v.json'), '{}\n');
  assert.equal(readFileSync(join(folder, 'v.json'), 'utf8'), '{}\n');
  assert.equal(statSync(join(folder, 'v.json')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['v.json']);
});

test('an older file is replaced, with the new permissions', async (t) => {
  const folder = tempFolder(t, { 'v.json': 'old and longer' });
  await writeFileInOneStep(join(folder, 'v.json'), 'new');
  assert.equal(readFileSync(join(folder, 'v.json'), 'utf8'), 'new');
  assert.equal(statSync(join(folder, 'v.json')).mode & 0o777, 0o600);
});

test('a link is neither followed nor replaced, and a folder or device is refused', async (t) => {
  const folder = tempFolder(t, {});
  writeFileSync(join(folder, 'target'), 'precious');
  symlinkSync('target', join(folder, 'link'));
  mkdirSync(join(folder, 'folder'));
  for (const place of [join(folder, 'link'), join(folder, 'folder'), '/dev/null'])
    await assert.rejects(writeFileInOneStep(place, 'x'), /is not a regular file/);
  assert.equal(readFileSync(join(folder, 'target'), 'utf8'), 'precious');
  assert.deepEqual(readdirSync(folder).toSorted(), ['folder', 'link', 'target']);
});

test('a folder that is not there is an error', async () => {
  await assert.rejects(writeFileInOneStep('/no/such/folder/v.json', 'x'), /ENOENT/);
});
