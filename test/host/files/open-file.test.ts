import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBelow, openFile } from '../../../src/host/files/open-file.ts';
import { folderWith } from '../folder-with.ts';

const LOGS = ['/var/log'];

/** What somebody does between the look at a path and the opening of it. */
function justBeforeOpening(act: () => void): void {
  const { open } = files;
  const put = (how: typeof open): void => {
    files.open = how;
    syncBuiltinESMExports();
  };
  put((...args) => {
    put(open);
    act();
    return open(...args);
  });
}

test('reads a regular file, as long as it was when it was opened', async (t) => {
  const folder = folderWith(t, { 'kubelet.log': 'first\n' });
  const file = await openFile(join(folder, 'kubelet.log'));
  appendFileSync(join(folder, 'kubelet.log'), 'later\n');
  const into = Buffer.alloc(64);
  assert.equal(await file.read(into), 6);
  assert.equal(await file.read(into), 0);
  assert.equal(await file.readAt(into, 6), 6);
  assert.equal(file.sizeBytes, 6);
  await file.close();
});

test('refuses a folder, a link and a missing file, each by its own code', async (t) => {
  const folder = folderWith(t, { 'target.log': 'x' });
  symlinkSync('target.log', join(folder, 'link.log'));
  await assert.rejects(openFile(folder), { code: 'directory' });
  await assert.rejects(openFile(join(folder, 'link.log')), { code: 'symlink' });
  await assert.rejects(openFile(join(folder, 'nothing.log')), { code: 'missing' });
  await assert.rejects(openFile(join(folder, 'target.log/inner')), { code: 'missing' });
});

test('what took the place of a file just before it was opened is refused by its own code', async (t) => {
  const folder = folderWith(t, { 'directory/x': '' });
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  symlinkSync('/etc/passwd', join(folder, 'symlink'));
  for (const code of ['fifo', 'symlink', 'directory']) {
    const path = join(folder, `${code}.log`);
    writeFileSync(path, 'x');
    justBeforeOpening(() => {
      renameSync(path, `${path}.old`);
      renameSync(join(folder, code), path);
    });
    await assert.rejects(openFile(path), { code });
  }
});

test('below a root, a folder that became a link just before the opening leads nowhere else', async (t) => {
  const root = folderWith(t, { 'var/log/pods/secret': 'log', 'root/secret': 'key' });
  justBeforeOpening(() => {
    renameSync(join(root, 'var/log/pods'), join(root, 'var/log/old'));
    symlinkSync('../../root', join(root, 'var/log/pods'));
  });
  await assert.rejects(openBelow(root, '/var/log/pods/secret', LOGS), { code: 'symlink-outside' });
});

test('refuses a FIFO without a writer at once, and devices and sockets', async (t) => {
  const folder = folderWith(t);
  execFileSync('mkfifo', [join(folder, 'fifo.log')]);
  const server = createServer().listen(join(folder, 'socket.log'));
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  await assert.rejects(openFile(join(folder, 'fifo.log')), { code: 'fifo' });
  await assert.rejects(openFile(join(folder, 'socket.log')), { code: 'socket' });
  await assert.rejects(openFile('/dev/zero'), { code: 'device' });
});

test('below a root, an absolute link stays in the root', async (t) => {
  const root = folderWith(t, { 'var/log/real.log': 'inside', 'etc/passwd': 'secret' });
  symlinkSync('/var/log/real.log', join(root, 'var/log/absolute.log'));
  symlinkSync('../../../../../../var/log/real.log', join(root, 'var/log/climbing.log'));
  const into = Buffer.alloc(64);
  for (const name of ['absolute.log', 'climbing.log']) {
    const file = await openBelow(root, `/var/log/${name}`, LOGS);
    assert.equal(into.toString('utf8', 0, await file.read(into)), 'inside');
    await file.close();
  }
});

test('below a root, a link that ends outside the log folders is refused', async (t) => {
  const root = folderWith(t, { 'etc/passwd': 'secret', 'var/logs/x.log': 'not a log folder' });
  mkdirSync(join(root, 'var/log'));
  symlinkSync('/etc/passwd', join(root, 'var/log/evil.log'));
  symlinkSync('/var/logs/x.log', join(root, 'var/log/near.log'));
  symlinkSync('loop.log', join(root, 'var/log/loop.log'));
  await assert.rejects(openBelow(root, '/var/log/evil.log', LOGS), { code: 'symlink-outside' });
  await assert.rejects(openBelow(root, '/var/log/near.log', LOGS), { code: 'symlink-outside' });
  await assert.rejects(openBelow(root, '/var/log/loop.log', LOGS), { code: 'symlink-loop' });
  await assert.rejects(openBelow(root, '/etc/passwd', LOGS), { code: 'symlink-outside' });
});

test('below a root, a linked folder is resolved inside the root too', async (t) => {
  const root = folderWith(t, { 'data/log/real.log': 'inside' });
  mkdirSync(join(root, 'var'));
  symlinkSync('/data/log', join(root, 'var/log'));
  writeFileSync(join(root, 'data/log/other.log'), 'x');
  await assert.rejects(openBelow(root, '/var/log/real.log', LOGS), { code: 'symlink-outside' });
  const file = await openBelow(root, '/var/log/real.log', ['/data/log']);
  await file.close();
});
