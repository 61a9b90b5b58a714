import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Budget } from '../../../src/sources/capture/budget.ts';
import { DEFAULT_LIMITS } from '../../../src/sources/input.ts';
import { bytesSource } from '../../../src/sources/capture/peek.ts';

const GIB = 1024 ** 3;

function budget(packedBytes: number | null, limits: Partial<typeof DEFAULT_LIMITS> = {}): Budget {
  const made = new Budget({ ...DEFAULT_LIMITS, ...limits });
  made.addPacked(packedBytes, 0);
  return made;
}

test('1 GiB may come out of anything, and not one byte more of what is small', () => {
  const small = budget(1_000);
  assert.equal(small.takeBytes(GIB), GIB);
  assert.equal(small.isSpent(), false);
  assert.equal(small.takeBytes(1), 0);
  assert.equal(small.isSpent(), true);
});

test('40 times what was packed may come out of more, and what was cut is known', () => {
  const packedBytes = 50 * 1024 * 1024;
  const large = budget(packedBytes);
  assert.equal(large.takeBytes(3 * GIB), 40 * packedBytes);
  assert.equal(large.isSpent(), true);
});

test('never more than 4 GiB, or than the disk affords', () => {
  assert.equal(budget(GIB).takeBytes(5 * GIB), 4 * GIB);
  assert.equal(budget(GIB, { unpackedBytes: 7_000 }).takeBytes(8_000), 7_000);
});

test('what nobody knows the size of has the whole limit', () => {
  assert.equal(budget(null).takeBytes(5 * GIB), 4 * GIB);
});

test('what is packed inside something packed adds nothing: nested bombs share one limit', () => {
  const nested = budget(1_000);
  nested.addPacked(GIB, 1);
  assert.equal(nested.takeBytes(2 * GIB), GIB);
});

test('several given files add up, and a metered source ends when the budget does', async () => {
  const two = budget(30 * 1024 * 1024);
  two.addPacked(30 * 1024 * 1024, 0);
  assert.equal(two.takeBytes(2 * GIB), 2 * GIB);
  const metered = budget(0, { unpackedBytes: 5 }).metered(bytesSource(Buffer.from('0123456789')));
  assert.equal(await metered.read(Buffer.alloc(8)), 5);
  assert.equal(await metered.read(Buffer.alloc(8)), 0);
});

test('10,000 members and no more', () => {
  const many = budget(0);
  for (let member = 0; member < 10_000; member++) assert.ok(many.takeMember());
  assert.equal(many.takeMember(), false);
});
