import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith } from './host/folder-with.ts';

const LEAVE = join(import.meta.dirname, '../src/leave.ts');
const LIMIT_MS = 20_000;
const onLinux = { skip: process.platform === 'linux' ? false : 'FIFOs are made by mkfifo' };

/** A program that gets `leave` and ends within the limit, or is killed. */
function play(script: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const program = `import { leave } from ${JSON.stringify(LEAVE)}; ${script}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 26,
  });
}

test('the exit code is the one that was given, and nothing is added to the output', () => {
  for (const code of [0, 10, 143])
    assert.deepEqual(pick(play(`void leave(${code})`)), { status: code, stdout: '', stderr: '' });
});

test('what hangs on the exit of the process is done, once', () => {
  assert.deepEqual(pick(play(`process.on('exit', (code) => console.log('exit', code)); void leave(11)`)), {
    status: 11,
    stdout: 'exit 11\n',
    stderr: '',
  });
});

test('a system call that never returns does not hold it, as it holds process.exit', onLinux, async (t) => {
  const fifo = join(folderWith(t, {}), 'fifo');
  spawnSync('mkfifo', [fifo]);
  const stuck = `import { open } from 'node:fs'; open(${JSON.stringify(fifo)}, 'r', () => {});`;
  assert.equal(play(`${stuck} setTimeout(() => void leave(12), 100)`).status, 12);

  const held = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `${stuck} setTimeout(() => { console.log('exits'); process.exit(12); }, 100)`,
  ]);
  await once(held.stdout, 'data');
  const first = await Promise.race([
    once(held, 'exit').then(() => 'gone'),
    new Promise((resolve) => setTimeout(resolve, 500, 'held')),
  ]);
  held.kill('SIGKILL');
  assert.equal(first, 'held');
});

test('output that nobody waited for arrives whole', async () => {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { leave } from ${JSON.stringify(LEAVE)}; process.stdout.write('x'.repeat(1 << 20)); void leave(0)`,
  ]);
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, bytes], [0, 1 << 20]);
});

function pick({ status, stdout, stderr }: ReturnType<typeof play>): ReturnType<typeof play> {
  return { status, stdout, stderr };
}
