// What comes in pieces is put together; the end and a full buffer both end the reading.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill } from '../../src/lib/fill.ts';

/** Gives at most three bytes at a time. */
function inPieces(text: string): (rest: Buffer, at: number) => Promise<number> {
  return async (rest, at) => Buffer.from(text.slice(at, at + 3)).copy(rest);
}

test('a buffer is filled piece by piece, and no byte more is asked for', async () => {
  const into = Buffer.alloc(7);
  assert.equal(await fill(into, inPieces('abcdefghij')), 7);
  assert.equal(into.toString(), 'abcdefg');
  assert.equal(await fill(Buffer.alloc(0), assert.fail), 0);
});

test('the end comes before the buffer is full', async () => {
  const into = Buffer.alloc(9, '.');
  assert.equal(await fill(into, inPieces('abcde')), 5);
  assert.equal(into.toString(), 'abcde....');
});

test('a failing read is handed on', async () => {
  await assert.rejects(
    fill(Buffer.alloc(2), () => Promise.reject(new Error('torn'))),
    /torn/,
  );
});
