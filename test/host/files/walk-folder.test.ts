import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WALK_DEPTH_MAX, walkFolder } from '../../../src/host/files/walk-folder.ts';
import { folderWith } from '../folder-with.ts';

test('lists files at any depth, sorted, with links as links', async (t) => {
  const folder = folderWith(t, { 'b.log': '12', 'a/deep/c.log': '123' });
  symlinkSync('/', join(folder, 'a/root'));
  const walk = await walkFolder(folder);
  assert.deepEqual(
    walk.entries.map(({ path, kind }) => [path, kind]),
    [
      ['a/deep/c.log', 'file'],
      ['a/root', 'symlink'],
      ['b.log', 'file'],
    ],
  );
  assert.equal(walk.entries[2]!.sizeBytes, 2);
  assert.equal(walk.depthReached || walk.entriesReached, false);
});

test('stops at its depth and says so', async (t) => {
  const folder = folderWith(t, {
    [`${'d/'.repeat(WALK_DEPTH_MAX - 1)}in.log`]: 'x',
    [`${'d/'.repeat(WALK_DEPTH_MAX)}out.log`]: 'x',
  });
  const walk = await walkFolder(folder);
  assert.deepEqual(
    walk.entries.map(({ path }) => path.slice(-6)),
    ['in.log'].map((name) => name.slice(-6)),
  );
  assert.equal(walk.depthReached, true);
});

test('stops at its number of entries and says so', async (t) => {
  const folder = folderWith(t, Object.fromEntries(Array.from({ length: 60 }, (_value, i) => [`many/${i}`, ''])));
  const walk = await walkFolder(folder, WALK_DEPTH_MAX, 50);
  assert.equal(walk.entries.length, 49);
  assert.equal(walk.entriesReached, true);
});

test('a folder that is not there is refused, not thrown', async (t) => {
  assert.deepEqual((await walkFolder(join(folderWith(t), 'none'))).refused, [{ path: '', code: 'missing' }]);
});
