import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createHost } from '../../../src/host/create-host.ts';
import type { FollowedFile, LineTail } from '../../../src/host/host.ts';
import { folderWith } from '../folder-with.ts';

const LOGS = ['/var/log'];
const LOG = '/var/log/a.log';

interface Tailed {
  readonly path: string;
  readonly file: FollowedFile;
  readonly tail: LineTail;
  /** The next line, null at the end of the tail. */
  readonly next: () => Promise<string | null>;
}

async function tailed(t: TestContext, text: string): Promise<Tailed> {
  const root = folderWith(t, { 'var/log/a.log': text });
  const file = await createHost({ root }).followFile(LOG, LOGS);
  t.after(() => file.close());
  const come: (string | null)[] = [];
  let resume: (() => void) | null = null;
  const push = (line: string | null): void => {
    come.push(line);
    resume?.();
  };
  const tail = file.tail(push, () => push(null));
  return {
    path: join(root, LOG),
    file,
    tail,
    async next() {
      while (come.length === 0) await new Promise<void>((resolve) => (resume = resolve));
      return come.shift()!;
    },
  };
}

test('a tail hands out the lines that are written after it began, byte by byte', async (t) => {
  const { path, tail, next } = await tailed(t, 'before\n');
  assert.equal(tail.startBytes, 7);
  appendFileSync(path, 'caf\u00e9\n\nhalf');
  assert.deepEqual([await next(), await next()], ['caf\u00c3\u00a9', '']);
  appendFileSync(path, ' a line\n');
  assert.equal(await next(), 'half a line');
});

test('a tail ends when its file is moved, becomes smaller, or grows by much at once', async (t) => {
  const moved = await tailed(t, 'x\n');
  renameSync(moved.path, `${moved.path}.1`);
  writeFileSync(moved.path, 'of another file\n');
  assert.equal(await moved.next(), null);
  const emptied = await tailed(t, 'x\n');
  truncateSync(emptied.path, 0);
  assert.equal(await emptied.next(), null);
  const grown = await tailed(t, 'x\n');
  truncateSync(grown.path, 8 * 1024 ** 4);
  assert.equal(await grown.next(), null);
  const endless = await tailed(t, 'x\n');
  for (let part = 0; part < 5; part++) {
    appendFileSync(endless.path, 'x'.repeat(16 * 1024));
    endless.tail.look();
  }
  assert.equal(await endless.next(), null);
});

test('a stopped tail is silent', async (t) => {
  const { path, file, tail } = await tailed(t, '');
  tail.stop();
  const changed = new Promise<void>((resolve) => file.watch(() => resolve()));
  appendFileSync(path, 'x\n');
  await changed;
  tail.look();
  assert.equal(tail.isReading, false);
});

test('an open file is the same file whatever became of its name', async (t) => {
  const { path, file } = await tailed(t, 'one\n');
  const host = createHost({ root: path.slice(0, -LOG.length) });
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'another\n');
  const other = await host.followFile(LOG, LOGS);
  const moved = await host.followFile(`${LOG}.1`, LOGS);
  assert.notEqual(other.identity, file.identity);
  assert.equal(moved.identity, file.identity);
  await Promise.all([other.close(), moved.close()]);
  rmSync(`${path}.1`);
  const into = Buffer.alloc(16);
  assert.equal(into.toString('latin1', 0, await file.readAt(into, 0)), 'one\n');
  assert.equal((await file.state()).sizeBytes, 4);
});

test('a watch tells of writes and of new names', async (t) => {
  const { path, file } = await tailed(t, '');
  const told: boolean[] = [];
  let resume = (): void => undefined;
  file.watch((wasMoved) => {
    told.push(wasMoved);
    resume();
  });
  const until = async (wasMoved: boolean): Promise<void> => {
    while (!told.includes(wasMoved)) await new Promise<void>((resolve) => (resume = resolve));
  };
  appendFileSync(path, 'x\n');
  await until(false);
  renameSync(path, `${path}.1`);
  await until(true);
});

test('links out of the log folders are refused, and closing leaves nothing open', async (t) => {
  const root = folderWith(t, { 'etc/shadow': 'secret', 'var/log/a.log': 'x\n' });
  symlinkSync('/etc/shadow', join(root, 'var/log/evil.log'));
  const host = createHost({ root });
  await assert.rejects(host.followFile('/var/log/evil.log', LOGS), { code: 'symlink-outside' });
  const before = readdirSync('/proc/self/fd').length;
  const file = await host.followFile(LOG, LOGS);
  await file.close();
  assert.equal(readdirSync('/proc/self/fd').length, before);
});
