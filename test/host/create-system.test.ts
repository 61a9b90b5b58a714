import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSystem } from '../../src/host/create-system.ts';
import { folderWith } from './folder-with.ts';

const signal = new AbortController().signal;

test('files are read below the root, links followed inside it, and long ones cut', async (t) => {
  const root = folderWith(t, {
    'etc/eks/release': 'x',
    'usr/lib/os-release': 'ID=amzn\n',
    'var/long': 'y'.repeat(300_000),
    'secret/key': 'k',
  });
  symlinkSync('../usr/lib/os-release', join(root, 'etc/os-release'));
  symlinkSync('/secret/key', join(root, 'etc/key'));
  symlinkSync('nothing', join(root, 'etc/dangling'));
  execFileSync('mkfifo', [join(root, 'etc/fifo')]);
  const system = createSystem({ root });
  assert.equal(await system.readSmall('/etc/os-release'), 'ID=amzn\n');
  assert.equal((await system.readSmall('/var/long'))?.length, 256 * 1024);
  assert.equal(await system.readSmall('/etc/nothing'), null);
  assert.equal(await system.readSmall('/etc/dangling'), null);
  await assert.rejects(system.readSmall('/etc/key'), { code: 'symlink-outside' });
  await assert.rejects(system.readSmall('/etc/fifo'), { code: 'fifo' });
  assert.deepEqual(await system.listFolder('/etc'), ['dangling', 'eks', 'fifo', 'key', 'os-release']);
  assert.deepEqual(await system.listFolder('/none'), []);
  assert.equal(await system.kindOf('/etc/os-release'), 'file');
  assert.equal(await system.kindOf('/etc/fifo'), 'fifo');
  assert.equal(await system.kindOf('/etc/dangling'), null);
  assert.equal(await system.kindOf('/etc'), 'directory');
  assert.equal(await system.askSocket('/etc/dangling', Buffer.alloc(1), signal), 'missing');
});

test('files of /proc are read whole although they say they are empty', async () => {
  const system = createSystem({ root: null });
  assert.match((await system.readSmall('/proc/swaps'))!, /^Filename/);
  assert.match((await system.readSmall('/proc/net/route'))!, /^Iface/);
});

test('memory, tools and units of this machine', async () => {
  const system = createSystem({ root: null });
  const { totalBytes, availableBytes } = await system.memory(signal);
  assert.ok(totalBytes > availableBytes && availableBytes > 0);
  assert.deepEqual(await system.runTool('no-such-tool-anywhere', [], signal), null);
  assert.deepEqual(await system.runTool('echo', ['$HOME', ';', 'x'], signal), {
    exitCode: 0,
    stdout: '$HOME ; x\n',
    stderr: '',
  });
  assert.equal((await system.runTool('false', [], signal))?.exitCode, 1);
});

test('a tool that does not end is left when the signal is aborted', async () => {
  const stop = new AbortController();
  const running = createSystem({ root: null }).runTool('sleep', ['60'], stop.signal);
  setImmediate(() => stop.abort(new Error('stopped')));
  await assert.rejects(running, /stopped/);
});

test('what a tool says without end is cut, and the tool ended', async () => {
  const output = await createSystem({ root: null }).runTool('yes', [], signal);
  assert.equal(output?.stdout.length, 256 * 1024);
});
