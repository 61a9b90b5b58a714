import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countNewlines } from '../../src/matching/count-newlines.ts';

/** Bytes beside the newline on either side, with the high bit and with none. */
const BYTES = Uint8Array.from([10, 0x8a, 11, 9, 10, 10, 0, 255, 10, 10, 10, 10, 5, 10, 0x0b, 0x0a, 0x7f, 0x80, 10]);

test('every stretch is counted as byte by byte', () => {
  for (let from = 0; from <= BYTES.length; from++)
    for (let to = from; to <= BYTES.length; to++)
      assert.equal(
        countNewlines(BYTES, from, to),
        BYTES.subarray(from, to).filter((byte) => byte === 10).length,
        `${from} to ${to}`,
      );
});

test('a place in memory that is not aligned, and more lines than a byte can count', () => {
  const bytes = new Uint8Array(5_003).fill(10);
  assert.equal(countNewlines(bytes.subarray(3), 1, 5_000), 4_999);
});
