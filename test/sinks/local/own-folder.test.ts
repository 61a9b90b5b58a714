import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inFolder, openOwnFolder, placeFile, readOwnFile, sweep } from '../../../src/sinks/local/own-folder.ts';
import { isAlive, ownToken } from '../../../src/sinks/local/owner.ts';
import { tempFolder } from '../../build/temp-folder.ts';

const isRoot = process.geteuid?.() === 0;

async function put(path: string, name: string, text: string): Promise<void> {
  await inFolder(await openOwnFolder(path), async (folder) => (await placeFile(folder, name, text)).close());
}

test('a folder is made for its owner only, and its files too', async (t) => {
  const path = join(tempFolder(t, {}), 'own');
  await put(path, 'a', 'text');
  assert.equal(statSync(path).mode & 0o777, 0o700);
  assert.equal(statSync(join(path, 'a')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(path), ['a']);
});

test('a folder that systemd made for all to read is closed', async (t) => {
  const path = join(tempFolder(t, {}), 'own');
  mkdirSync(path, { mode: 0o755 });
  await put(path, 'a', 'text');
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test('a link, a file, and a folder of others are refused with one code each', async (t) => {
  const base = tempFolder(t, { file: '', 'target/x': '' });
  symlinkSync('target', join(base, 'link'));
  mkdirSync(join(base, 'open'));
  chmodSync(join(base, 'open'), 0o777);
  for (const [name, code] of [
    ['link', 'folder-symlink'],
    ['file', 'no-folder'],
    ['open', 'folder-writable'],
    ['no/such', 'place-missing'],
  ] as const)
    await assert.rejects(put(join(base, name), 'a', 'text'), { code, detail: join(base, name) });
  assert.deepEqual(readdirSync(join(base, 'target')), ['x']);
});

test('a folder of another user is refused', { skip: !isRoot && 'only root can give a folder away' }, async (t) => {
  const path = join(tempFolder(t, {}), 'own');
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, 12_345, 12_345);
  await assert.rejects(put(path, 'a', 'text'), { code: 'folder-foreign' });
});

test(
  'a folder that is exchanged for a link while it is open keeps what is written',
  { skip: process.platform !== 'linux' && 'needs /proc' },
  async (t) => {
    const base = tempFolder(t, { 'elsewhere/x': '' });
    const path = join(base, 'own');
    await inFolder(await openOwnFolder(path), async (folder) => {
      renameSync(path, join(base, 'moved'));
      symlinkSync('elsewhere', path);
      await (await placeFile(folder, 'a', 'text')).close();
    });
    assert.deepEqual(readdirSync(join(base, 'elsewhere')), ['x']);
    assert.deepEqual(readdirSync(join(base, 'moved')), ['a']);
  },
);

test('a link, a pipe and a folder in place of a file are not read', async (t) => {
  const base = tempFolder(t, { secret: 'x' });
  const path = join(base, 'own');
  mkdirSync(path, { mode: 0o700 });
  symlinkSync(join(base, 'secret'), join(path, 'link'));
  execFileSync('mkfifo', [join(path, 'pipe')]);
  mkdirSync(join(path, 'folder'));
  for (const name of ['link', 'pipe', 'folder'])
    await assert.rejects(
      inFolder(await openOwnFolder(path), (folder) => readOwnFile(folder, name, 100)),
      { code: 'file-foreign' },
      name,
    );
});

test('only the end of a long file is read', async (t) => {
  const path = join(tempFolder(t, {}), 'own');
  await put(path, 'a', 'abcdef');
  const read = (limit: number) =>
    openOwnFolder(path).then((folder) => inFolder(folder, (own) => readOwnFile(own, 'a', limit)));
  assert.deepEqual(await read(3), { text: 'def', whole: false });
  assert.deepEqual(await read(6), { text: 'abcdef', whole: true });
});

test('what a process that is gone had begun to write is swept, what a living one writes stays', async (t) => {
  const path = join(tempFolder(t, {}), 'own');
  mkdirSync(path, { mode: 0o700 });
  const names = [`.new-${ownToken()}.0`, '.new-999999999-5-abcdef01.0', 'kept'];
  for (const name of names) writeFileSync(join(path, name), 'x');
  await inFolder(await openOwnFolder(path), async (folder) => sweep(folder, await folder.list()));
  assert.deepEqual(readdirSync(path).sort(), [names[0], 'kept']);
  assert.equal(readFileSync(join(path, 'kept'), 'utf8'), 'x');
});

test('a token tells a living process from a dead one, an earlier holder of its number, and an earlier boot', () => {
  const [pid, start, boot] = ownToken().split('-') as [string, string, string];
  assert.equal(isAlive(ownToken()), true);
  for (const token of [
    `${pid}-${Number(start) - 1}-${boot}`,
    `${pid}-${start}-00000000`,
    `999999999-${start}-${boot}`,
    'x',
    '',
  ])
    assert.equal(isAlive(token), false, token);
});

test('a folder into which its group may write is refused', async (t) => {
  const path = join(tempFolder(t, {}), 'group');
  mkdirSync(path);
  chmodSync(path, 0o770);
  await assert.rejects(openOwnFolder(path), { code: 'folder-writable' });
});
