import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from '../../../src/host/create-host.ts';
import { type ConsoleHost, writeConsole } from '../../../src/sinks/local/console.ts';
import { tempFolder } from '../../build/temp-folder.ts';

const host = createHost();
const TIME_LIMIT_MS = 1_000;

/** Anything counts as a device, so that a pipe can stand for one that blocks. */
const anyDevice: ConsoleHost = {
  ...host,
  kindOf: async (path) => ({ path, kind: 'device', sizeBytes: 0, mtimeMs: 0 }),
};

test('a line is written as it is, on a line of its own', async (t) => {
  const place = join(tempFolder(t, {}), 'console');
  const line = `eks-bootstrap-analyzer: failed "$(id)" 'x' \`id\` %s \\n -n ä`;
  await writeConsole(anyDevice, place, line);
  assert.equal(execFileSync('cat', [place], { encoding: 'utf8' }), `\n${line}\n`);
});

test('a device takes it', () => writeConsole(host, '/dev/null', 'x'));

test('where there is no device no file is made', async (t) => {
  const place = join(tempFolder(t, {}), 'console');
  await assert.rejects(writeConsole(host, place, 'x'), { code: 'console-missing', detail: place });
  assert.equal(existsSync(place), false);
});

test('a device that is full is an error', async () => {
  await assert.rejects(writeConsole(host, '/dev/full', 'x'), { code: 'console-failed' });
});

test('a device that blocks when it is opened is given up', async (t) => {
  const place = join(tempFolder(t, {}), 'console');
  execFileSync('mkfifo', [place]);
  const startMs = performance.now();
  await assert.rejects(writeConsole(anyDevice, place, 'x'), {
    code: 'console-failed',
    detail: `${place}: no answer within ${TIME_LIMIT_MS} ms`,
  });
  assert.ok(performance.now() - startMs < TIME_LIMIT_MS + 500);
});
