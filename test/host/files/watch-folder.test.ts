import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from '../../../src/host/create-host.ts';
import { watchRefusal } from '../../../src/host/files/watch-folder.ts';
import { folderWith } from '../folder-with.ts';

test('tells the names that come, go and are exchanged, not the writes', async (t) => {
  const root = folderWith(t, { 'var/log/a.log': '' });
  const host = createHost({ root });
  const names: (string | null)[] = [];
  let resume = (): void => undefined;
  const watch = await host.watchFolder('/var/log', (name) => {
    names.push(name);
    resume();
  });
  t.after(() => watch.close());
  const log = join(root, 'var/log');
  appendFileSync(join(log, 'a.log'), 'x\n');
  writeFileSync(join(log, 'b.log'), '');
  renameSync(join(log, 'b.log'), join(log, 'c.log'));
  mkdirSync(join(log, 'd'));
  rmSync(join(log, 'a.log'));
  while (!names.includes('a.log')) await new Promise<void>((resolve) => (resume = resolve));
  assert.deepEqual(names, ['b.log', 'b.log', 'c.log', 'd', 'a.log']);
});

test('tells that the folder itself was moved, and that another one stands there by its identity', async (t) => {
  const root = folderWith(t, { 'var/log/eni/a.log': '' });
  const host = createHost({ root });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const watch = await host.watchFolder('/var/log/eni', resolve);
  t.after(() => watch.close());
  const globs = ['/var/log/eni/*.log'];
  assert.equal(await (await host.surveyGlobs(globs)).identityOf('/var/log/eni'), watch.identity);
  renameSync(join(root, 'var/log/eni'), join(root, 'var/log/before'));
  mkdirSync(join(root, 'var/log/eni'));
  assert.equal(await promise, 'eni');
  assert.notEqual(await (await host.surveyGlobs(globs)).identityOf('/var/log/eni'), watch.identity);
});

test('only folders are watched, links to them inside the root', async (t) => {
  const root = folderWith(t, { 'var/log/a.log': '', 'data/x.log': '' });
  symlinkSync('/data', join(root, 'var/log/link'));
  const host = createHost({ root });
  await assert.rejects(
    host.watchFolder('/var/log/a.log', () => undefined),
    { code: 'missing' },
  );
  await assert.rejects(
    host.watchFolder('/var/log/none', () => undefined),
    { code: 'missing' },
  );
  const watch = await host.watchFolder('/var/log/link', () => undefined);
  watch.close();
});

test('a used up limit is told from other errors', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOSPC'])
    assert.equal(watchRefusal(Object.assign(new Error(code), { code }), '/x').code, 'watch-limit');
  assert.equal(watchRefusal(Object.assign(new Error('gone'), { code: 'ENOENT' }), '/x').code, 'missing');
});
