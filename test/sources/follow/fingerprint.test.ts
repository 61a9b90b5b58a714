import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowedFile } from '../../../src/host/host.ts';
import { readHead, Trace } from '../../../src/sources/follow/fingerprint.ts';

/** A file that can be written anew between two reads. */
function fileOf(text: string): { readonly file: FollowedFile; readonly write: (text: string) => void } {
  let content = Buffer.from(text);
  const readAt = (into: Buffer, position: number): Promise<number> =>
    Promise.resolve(content.subarray(position).copy(into));
  return {
    file: {
      identity: '',
      state: () => Promise.reject(new Error()),
      readAt,
      watch: () => undefined,
      tail: () => assert.fail(),
      close: () => Promise.resolve(),
    },
    write: (text) => {
      content = Buffer.from(text);
    },
  };
}

async function readAll(file: FollowedFile): Promise<Trace> {
  const trace = new Trace();
  for (;;) {
    const chunk = await trace.read(file, 1000);
    if (chunk === null || chunk.length === 0) return trace;
    trace.advance(chunk);
  }
}

const PAGE = 4096;
const old = 'old '.repeat(5 * (PAGE / 4));
const fresh = 'new '.repeat(5 * (PAGE / 4));

test('reads on where it was', async () => {
  const { file, write } = fileOf('one\n');
  const trace = await readAll(file);
  write('one\ntwo\n');
  assert.equal((await trace.read(file, 100))?.toString(), 'two\n');
});

test('a file that was written anew does not agree, longer, shorter or as long', async () => {
  for (const text of [`${fresh}${fresh}`, fresh, 'new', '']) {
    const { file, write } = fileOf(old);
    const trace = await readAll(file);
    assert.equal(await trace.agrees(file), true);
    write(text);
    assert.equal(await trace.agrees(file), false);
    assert.equal(await trace.read(file, 100), null);
  }
});

test('a chunk that was read before anything else is known agrees with itself alone', async () => {
  const { file, write } = fileOf('one\n');
  const trace = new Trace();
  const chunk = await trace.read(file, 100);
  assert.equal(await trace.agrees(file, chunk!), true);
  write('two\nthree\n');
  assert.equal(await trace.agrees(file, chunk!), false);
});

test('of a chunk that is of two writings the old pages are kept', async () => {
  const { file, write } = fileOf(old);
  const trace = new Trace();
  trace.advance(Buffer.from(old.slice(0, 100)));
  const mixed = Buffer.from(old.slice(100, 2 * PAGE) + fresh.slice(2 * PAGE, 4 * PAGE));
  write(fresh);
  assert.equal((await trace.oldPart(file, mixed)).toString(), old.slice(100, 2 * PAGE));
  assert.equal((await trace.oldPart(file, Buffer.from(fresh.slice(100, 2 * PAGE)))).length, 0);
  assert.equal((await trace.oldPart(file, Buffer.from(old.slice(100)))).toString(), old.slice(100));
  write('new');
  assert.equal((await trace.oldPart(file, Buffer.from(old.slice(100)))).toString(), old.slice(100));
});

test('the head of a file that begins with a hole is what comes after it', async () => {
  const { file } = fileOf(`${'\0'.repeat(300_000)}one\n`);
  assert.equal((await readHead(file)).toString(), 'one\n');
  assert.equal((await readAll(file)).head.toString(), 'one\n');
  assert.equal((await readHead(fileOf('').file)).length, 0);
  assert.equal((await readHead(fileOf('\0\0').file)).length, 0);
});
