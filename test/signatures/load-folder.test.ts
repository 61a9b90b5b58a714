import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { causeFile } from './small-pack.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'pack-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

function withTables(t: TestContext): string {
  const path = folder(t);
  for (const name of ['streams.yaml', 'phases.yaml']) cpSync(join(ROOT, 'patterns', name), join(path, name));
  mkdirSync(join(path, 'host'));
  return path;
}

test('reads the tables and the files of every group, and leaves other files alone', (t) => {
  const path = withTables(t);
  writeFileSync(join(path, 'host', 'a-cause.yaml'), causeFile('a-cause'));
  writeFileSync(join(path, 'host', 'notes.md'), 'nothing');
  assert.deepEqual(
    loadFolder(path).causes.map(({ group, source }) => `${group}: ${source.data.id}`),
    ['host: a-cause'],
  );
});

test('a folder without its tables is refused', (t) => {
  assert.throws(() => loadFolder(folder(t)), /streams\.yaml:1: is missing/);
});

test('the id must be the name of the file', (t) => {
  const path = withTables(t);
  writeFileSync(join(path, 'host', 'other-name.yaml'), `# a comment\n${causeFile('a-cause')}`);
  assert.throws(() => loadFolder(path), /host\/other-name\.yaml:2: the id must be the file's name, "other-name"/);
});
