// Who holds a folder: one at a time, and nobody once its holder is gone.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockFolder, lockFolderWithin } from '../../../src/sinks/local/folder-lock.ts';
import { ownToken } from '../../../src/sinks/local/owner.ts';
import { tempFolder } from '../../build/temp-folder.ts';

const DEAD = '999999999-5-abcdef01';

/** The parent of this test, as another process sees it. */
function living(): string {
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
  return `${process.ppid}-${start}-${ownToken().split('-')[2]!}`;
}

test('one holds it at a time, also within one process', async (t) => {
  const folder = join(tempFolder(t, {}), 'own');
  const unlock = await lockFolder(folder, 'a');
  assert.ok(unlock !== null);
  assert.equal(await lockFolder(folder, 'a'), null);
  const other = await lockFolder(folder, 'b');
  assert.ok(other !== null, 'another name is another lock');
  await unlock();
  const again = await lockFolderWithin(folder, 'a', 0);
  assert.ok(again !== null);
  await Promise.all([other(), again()]);
  assert.deepEqual(readdirSync(folder), []);
});

test('what a dead process held is free, what a living one holds is not', async (t) => {
  const folder = tempFolder(t, {});
  writeFileSync(join(folder, `.lock-a.${DEAD}`), '');
  const unlock = await lockFolder(folder, 'a');
  assert.ok(unlock !== null);
  assert.deepEqual(readdirSync(folder), [`.lock-a.${ownToken()}`]);
  await unlock();
  writeFileSync(join(folder, `.lock-a.${living()}`), '');
  assert.equal(await lockFolderWithin(folder, 'a', 50), null);
  assert.deepEqual(readdirSync(folder), [`.lock-a.${living()}`]);
});

test('a folder that cannot be used is told', async (t) => {
  const folder = tempFolder(t, { file: '' });
  await assert.rejects(lockFolder(join(folder, 'file'), 'a'), { code: 'no-folder' });
  await assert.rejects(lockFolder(join(folder, 'file'), 'a'), { code: 'no-folder' }, 'nothing is held');
});
