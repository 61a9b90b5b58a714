import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { bytesSource } from '../../../src/sources/capture/peek.ts';
import { TarReader } from '../../../src/sources/capture/tar-reader.ts';
import { folderWith } from '../../host/folder-with.ts';
import { makeTar } from '../make-tar.ts';

async function membersOf(tar: Buffer): Promise<[name: string, kind: string, content: string][]> {
  const reader = new TarReader(bytesSource(tar));
  const found: [string, string, string][] = [];
  const into = Buffer.alloc(100);
  for (let member = await reader.next(); member !== null; member = await reader.next()) {
    let content = '';
    for (let bytes = await reader.read(into); bytes > 0; bytes = await reader.read(into))
      content += into.toString('utf8', 0, bytes);
    found.push([member.name, member.kind, content]);
  }
  return found;
}

const LONG = `${'long-folder-name/'.repeat(12)}kubelet.log`;

for (const format of ['ustar', 'gnu', 'pax', 'v7'])
  test(`reads what GNU tar writes as ${format}`, async (t) => {
    const name = format === 'v7' ? 'short/kubelet.log' : LONG;
    const folder = folderWith(t);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'x'.repeat(1000));
    writeFileSync(join(folder, 'ünï.log'), 'text');
    const tar = execFileSync('tar', ['--create', `--format=${format}`, '--directory', folder, name, 'ünï.log']);
    assert.deepEqual(await membersOf(tar), [
      [name, 'file', 'x'.repeat(1000)],
      ['ünï.log', 'file', 'text'],
    ]);
  });

test('reads kinds, passes over what was not read, and ends at two empty blocks', async () => {
  const tar = await makeTar([
    [{ name: 'folder/', type: 'directory' }],
    [{ name: 'soft', type: 'symlink', linkname: 'x' }],
    [{ name: 'hard', type: 'link', linkname: 'x' }],
    [{ name: 'pipe', type: 'fifo' }],
    ['a.log', 'first'],
  ]);
  const reader = new TarReader(bytesSource(Buffer.concat([tar, tar])));
  const kinds: string[] = [];
  for (let member = await reader.next(); member !== null; member = await reader.next()) kinds.push(member.kind);
  assert.deepEqual(kinds, ['directory', 'link', 'link', 'special', 'file']);
  assert.equal(await reader.isFollowed(), true, 'the second archive');
});

test('zeros behind the end are filling and no second archive', async () => {
  const tar = await makeTar([['a.log', 'first']]);
  const reader = new TarReader(bytesSource(Buffer.concat([tar, Buffer.alloc(20_480)])));
  while ((await reader.next()) !== null);
  assert.equal(await reader.isFollowed(), false);
});

test('gives size and time of a member', async () => {
  const reader = new TarReader(
    bytesSource(await makeTar([[{ name: 'a.log', mtime: new Date(1_700_000_000_000) }, 'first']])),
  );
  assert.deepEqual(await reader.next(), { name: 'a.log', kind: 'file', sizeBytes: 5, mtimeMs: 1_700_000_000_000 });
});

test('a cut archive and a broken header are told apart', async () => {
  const tar = await makeTar([
    ['a.log', 'x'.repeat(2000)],
    ['b.log', 'y'],
  ]);
  await assert.rejects(membersOf(tar.subarray(0, 1000)), { code: 'truncated' });
  await assert.rejects(membersOf(tar.subarray(0, 700)), { code: 'truncated' });
  await assert.rejects(membersOf(tar.subarray(0, 300)), { code: 'truncated' });
  tar[512 + 2048]! += 1;
  await assert.rejects(membersOf(tar), { code: 'archive-damaged' });
});

test('a header that asks for endless memory is refused', async () => {
  const tar = await makeTar([['a.log']]);
  const header = Buffer.from(tar.subarray(0, 512));
  header.write('x', 156);
  header.write('77777777777', 124, 'latin1');
  header.write('        ', 148, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  await assert.rejects(membersOf(header), { code: 'archive-damaged' });
});
