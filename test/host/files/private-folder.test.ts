import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ROOT } from '../../../build/project.ts';
import { openPrivateFolder } from '../../../src/host/files/private-folder.ts';
import { folderWith } from '../folder-with.ts';

test('the folder is 0700, its files 0600, and gone after remove', async () => {
  const folder = openPrivateFolder();
  const file = await folder.createFile();
  await file.write(Buffer.from('secret'));
  await file.close();
  assert.equal(statSync(folder.path).mode & 0o777, 0o700);
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  folder.remove();
  assert.equal(existsSync(folder.path), false);
});

test('a file that somebody put there first is refused', async (t) => {
  const folder = openPrivateFolder();
  t.after(() => folder.remove());
  writeFileSync(join(folder.path, '0'), 'planted');
  await assert.rejects(folder.createFile(), { code: 'temporary-folder' });
});

test('removing it follows no link', async (t) => {
  const outside = folderWith(t, { 'keep.journal': 'x' });
  const folder = openPrivateFolder();
  await folder.createLinks([join(outside, 'keep.journal'), outside], '.journal');
  folder.remove();
  assert.equal(existsSync(join(outside, 'keep.journal')), true);
});

/** Starts a process that opens a folder with a file in it, says so, and then does `work`. */
function startUser(
  t: TestContext,
  work: string,
): {
  readonly child: ChildProcess;
  readonly temp: string;
  readonly opened: Promise<void>;
  readonly ended: Promise<string>;
} {
  const temp = folderWith(t);
  const script = `
    import { openPrivateFolder } from '${ROOT}/src/host/files/private-folder.ts';
    const folder = openPrivateFolder();
    await (await folder.createFile()).write(Buffer.from('x'));
    console.log('opened');
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    env: { TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const opened = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const ended = new Promise<string>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))));
  return { child, temp, opened, ended };
}

const WAIT = 'setTimeout(() => {}, 60_000);';

for (const { title, work, signal, end } of [
  { title: 'an end without remove', work: '', signal: null, end: '0' },
  { title: 'an uncaught error', work: "throw new Error('bug');", signal: null, end: '1' },
  { title: 'process.exit', work: 'process.exit(7);', signal: null, end: '7' },
  { title: 'SIGINT', work: WAIT, signal: 'SIGINT', end: '130' },
  { title: 'SIGTERM', work: WAIT, signal: 'SIGTERM', end: '143' },
  {
    title: 'SIGTERM where the program has a handler of its own',
    work: `process.on('SIGTERM', () => process.exit(42)); ${WAIT} console.log('ready');`,
    signal: 'SIGTERM',
    end: '42',
  },
] as const)
  test(`nothing is left after ${title}`, async (t) => {
    const { child, temp, opened, ended } = startUser(t, work);
    await opened;
    if (signal !== null) {
      assert.equal(readdirSync(temp).length, 1);
      child.kill(signal);
    }
    assert.equal(await ended, end);
    assert.deepEqual(readdirSync(temp), []);
  });
