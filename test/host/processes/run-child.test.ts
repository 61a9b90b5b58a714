import assert from 'node:assert/strict';
import { ChildProcess } from 'node:child_process';
import { test } from 'node:test';
import type { Child } from '../../../src/host/host.ts';
import { findCommand, runChild } from '../../../src/host/processes/run-child.ts';

const LIMIT_MS = 10_000;
const compareText = (a = '', b = ''): number => a.localeCompare(b);

async function outputOf(child: Child): Promise<string> {
  const into = Buffer.alloc(1024);
  let text = '';
  for (let bytes = await child.read(into); bytes > 0; bytes = await child.read(into))
    text += into.toString('latin1', 0, bytes);
  return text;
}

test('gives the output and how it ended', async () => {
  const child = runChild({
    command: 'sh',
    args: ['-c', 'printf hello; echo trouble >&2; exit 3'],
    timeLimitMs: LIMIT_MS,
  });
  assert.equal(await outputOf(child), 'hello');
  assert.deepEqual(await child.ended, { exitCode: 3, endedBy: null, stderr: 'trouble\n' });
  await child.close();
});

test('the environment holds the four settings and nothing of ours', async () => {
  const output = await outputOf(runChild({ command: 'env', args: [], timeLimitMs: LIMIT_MS }));
  const names = output
    .split('\n')
    .map((line) => line.split('=')[0])
    .filter((name) => name !== '' && name !== '_');
  assert.deepEqual(names.toSorted(compareText), ['LC_ALL', 'PATH', 'SYSTEMD_COLORS', 'SYSTEMD_PAGER']);
});

test('an argument is never read by a shell', async () => {
  assert.equal(
    await outputOf(runChild({ command: 'echo', args: ['$(reboot); `id`'], timeLimitMs: LIMIT_MS })),
    '$(reboot); `id`\n',
  );
});

test('is killed at its limit; what it said before is kept', async () => {
  const child = runChild({ command: 'sh', args: ['-c', 'echo first; exec sleep 60'], timeLimitMs: 300 });
  assert.equal(await outputOf(child), 'first\n');
  assert.equal((await child.ended).endedBy, 'time-limit');
});

test('is left behind if a process of its own keeps the pipe open', async () => {
  const child = runChild({ command: 'sh', args: ['-c', 'sleep 4 & echo first; wait'], timeLimitMs: 200 });
  const startMs = performance.now();
  assert.equal(await outputOf(child), 'first\n');
  assert.equal((await child.ended).endedBy, 'time-limit');
  assert.ok(performance.now() - startMs < 3_000);
});

test('one that does not die is left behind, and holds nothing up', async (t) => {
  const whole = Object.getOwnPropertyDescriptor(ChildProcess.prototype, 'kill')!;
  ChildProcess.prototype.kill = () => false;
  t.after(() => Object.defineProperty(ChildProcess.prototype, 'kill', whole));
  const child = runChild({ command: 'sh', args: ['-c', 'echo $$; exec sleep 60'], timeLimitMs: 200 });
  const into = Buffer.alloc(16);
  const pid = Number(into.toString('latin1', 0, await child.read(into)));
  t.after(() => process.kill(pid, 'SIGKILL'));
  assert.equal(await outputOf(child), '');
  assert.deepEqual(await child.ended, { exitCode: null, endedBy: 'time-limit', stderr: '' });
  assert.ok(!process.getActiveResourcesInfo().includes('ProcessWrap'));
});

test('an abort and a close end it', async () => {
  const controller = new AbortController();
  const aborted = runChild({ command: 'sleep', args: ['60'], timeLimitMs: LIMIT_MS, signal: controller.signal });
  controller.abort();
  assert.equal(await outputOf(aborted), '');
  assert.equal((await aborted.ended).endedBy, 'abort');
  const endless = runChild({ command: 'yes', args: [], timeLimitMs: LIMIT_MS });
  assert.ok((await endless.read(Buffer.alloc(16))) > 0);
  await endless.close();
  assert.equal((await endless.ended).endedBy, 'closed');
});

test('keeps 8 KiB of a flood on standard error', async () => {
  const child = runChild({ command: 'sh', args: ['-c', 'yes error | head -c 200000 >&2'], timeLimitMs: LIMIT_MS });
  await outputOf(child);
  assert.equal((await child.ended).stderr.length, 8 * 1024);
});

test('a slow reader gets every byte', async () => {
  const child = runChild({ command: 'sh', args: ['-c', 'yes 1234567 | head -c 3000000'], timeLimitMs: LIMIT_MS });
  assert.equal((await outputOf(child)).length, 3_000_000);
});

test('programs are looked for in the fixed folders only', () => {
  assert.match(findCommand('sh')!, /^\/(?:usr\/)?bin\/sh$/);
  assert.equal(findCommand('no-such-program'), null);
  assert.throws(() => runChild({ command: 'no-such-program', args: [], timeLimitMs: 1 }), { code: 'command-missing' });
});

test('without a limit it runs until it ends; nudges reach a program that wants them', async (t) => {
  const script =
    'trap "n=\\$((n + 1)); [ \\$n -ge 3 ] && echo nudged && exit 0" WINCH; n=0; while :; do sleep 0.01; done';
  const child = runChild({ command: 'bash', args: ['-c', script], timeLimitMs: null });
  const nudges = setInterval(() => child.nudge?.(), 20);
  t.after(() => clearInterval(nudges));
  assert.equal(await outputOf(child), 'nudged\n');
  assert.deepEqual(await child.ended, { exitCode: 0, endedBy: null, stderr: '' });
});

test('a program that does not handle nudges is not disturbed', async (t) => {
  const child = runChild({ command: 'sleep', args: ['0.3'], timeLimitMs: null });
  const nudges = setInterval(() => child.nudge?.(), 10);
  t.after(() => clearInterval(nudges));
  await outputOf(child);
  assert.equal((await child.ended).exitCode, 0);
});
