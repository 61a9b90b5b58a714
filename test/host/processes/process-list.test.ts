import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { parseProcesses, processList, withoutFamily } from '../../../src/host/processes/process-list.ts';

const signal = new AbortController().signal;

test('columns are told apart from the command, which keeps its spaces', () => {
  const unit = 'sandbox-image.service'.padEnd(256);
  assert.deepEqual(
    parseProcesses(
      `   2217    2210     125 ${unit} aws  ecr get-login-password\n      3       2 9 ${'-'.padEnd(256)} [kworker/0:1]\nnonsense\n`,
    ),
    [
      {
        pid: 2217,
        parentPid: 2210,
        ageSeconds: 125,
        unit: 'sandbox-image.service',
        command: 'aws  ecr get-login-password',
      },
      { pid: 3, parentPid: 2, ageSeconds: 9, unit: null, command: '[kworker/0:1]' },
    ],
  );
});

test('a command line of megabytes is cut', () => {
  assert.equal(parseProcesses(`1 0 1 - ${'x'.repeat(1_000_000)}`)[0]?.command.length, 4_096);
});

test('one process and all below it are left out, a circle of parents included', () => {
  const list = [
    [1, 0],
    [10, 1],
    [11, 10],
    [12, 11],
    [20, 21],
    [21, 20],
  ].map(([pid, parentPid]) => ({ pid: pid!, parentPid: parentPid!, ageSeconds: 0, unit: null, command: '' }));
  assert.deepEqual(
    withoutFamily(list, 10).map(({ pid }) => pid),
    [1, 20, 21],
  );
});

test('the list of this machine has its processes with their ages, but not this one and its children', async (t) => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const list = (await processList(signal))!;
  assert.ok(list.some(({ pid }) => pid === 1));
  assert.ok(!list.some(({ pid }) => pid === process.pid || pid === child.pid));
});
