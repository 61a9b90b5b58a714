import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { surveyGlobs } from '../../../src/host/files/survey-globs.ts';
import { folderWith } from '../folder-with.ts';

/** Folders with the names that matter in them. */
async function foldersOf(root: string, globs: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const { folders } = await surveyGlobs(root, globs);
  return Object.fromEntries([...folders].map(([folder, names]) => [folder, names.map(({ source }) => source)]));
}

test('a folder is to be watched where the next part of a glob may come', async (t) => {
  const root = folderWith(t);
  const globs = ['/var/log/pods/a-*/*/*.log', '/var/log/messages'];
  assert.deepEqual(await foldersOf(root, globs), { '/': ['^var$', '^var$'] });
  mkdirSync(join(root, 'var/log'), { recursive: true });
  assert.deepEqual(await foldersOf(root, globs), { '/var/log': ['^pods$', '^messages$'] });
  mkdirSync(join(root, 'var/log/pods/a-1/main'), { recursive: true });
  mkdirSync(join(root, 'var/log/pods/b-1'));
  assert.deepEqual(await foldersOf(root, globs), {
    '/var/log/pods': ['^a-[^/]*$'],
    '/var/log/pods/a-1': ['^[^/]*$'],
    '/var/log/pods/a-1/main': [String.raw`^[^/]*\.log$`],
    '/var/log': ['^messages$'],
  });
});

test('lists all names but folders where files may be, at any depth after `**`', async (t) => {
  const root = folderWith(t, {
    'var/log/pods/a/x/0.log': '',
    'var/log/pods/a/x/0.log.1': '',
    'var/log/pods/a/1.log': '',
    'var/log/b.log': '',
  });
  const { listings } = await surveyGlobs(root, ['/var/log/pods/a/**', '/var/log/c.log']);
  assert.deepEqual(Object.fromEntries([...listings].map(([folder, names]) => [folder, names.toSorted()])), {
    '/var/log/pods/a': ['1.log'],
    '/var/log/pods/a/x': ['0.log', '0.log.1'],
    '/var/log': ['b.log'],
  });
});

test('tells files apart by what they are, links followed inside the root', async (t) => {
  const root = folderWith(t, { 'var/log/pods/0.log': '', 'var/log/other.log': '' });
  mkdirSync(join(root, 'var/log/containers'));
  symlinkSync('/var/log/pods/0.log', join(root, 'var/log/containers/x.log'));
  symlinkSync('/var/log/none.log', join(root, 'var/log/containers/y.log'));
  const survey = await surveyGlobs(root, ['/var/log/**']);
  const target = await survey.identityOf('/var/log/pods/0.log');
  assert.ok(target !== null);
  assert.equal(await survey.identityOf('/var/log/containers/x.log'), target);
  assert.notEqual(await survey.identityOf('/var/log/other.log'), target);
  assert.equal(await survey.identityOf('/var/log/containers/y.log'), null);
  writeFileSync(join(root, 'var/log/late.log'), '');
  assert.ok((await survey.identityOf('/var/log/late.log')) !== null);
});

test('a file or a link where a folder should be holds nothing', async (t) => {
  const root = folderWith(t, { 'var/log/eni': 'a file', 'etc/secret.log': '' });
  symlinkSync('../../../../../etc', join(root, 'var/log/out'));
  const { listings } = await surveyGlobs(root, ['/var/log/eni/*.log', '/var/log/out/*.log', '/var/log/eni/x/**']);
  assert.deepEqual([...listings], [['/var/log/out', ['secret.log']]]);
});
