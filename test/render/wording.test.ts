import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between, clip, clock, duration } from '../../src/render/wording.ts';

test('durations', () => {
  const words = [0, 850, 12_400, 60_000, 245_000, 7_380_000, 446_400_000].map(duration);
  assert.deepEqual(words, ['0 ms', '850 ms', '12 s', '1 min', '4 min 5 s', '2 h 3 min', '5 d 4 h']);
});

test('times on the day of the reference are short', () => {
  assert.equal(clock('2025-05-06T08:15:44.123Z', '2025-05-06T09:00:00.000Z'), '08:15:44Z');
  assert.equal(clock('2025-05-05T08:15:44.123Z', '2025-05-06T09:00:00.000Z'), '2025-05-05 08:15:44Z');
  assert.equal(clock('+12.345s', '+20.000s'), '+12.345s');
  assert.equal(clock(null, null), 'time unknown');
});

test('time between', () => {
  assert.equal(between('2025-05-06T08:00:00.000Z', '2025-05-06T08:00:01.000Z'), 1_000);
  assert.equal(between('+1.500s', '+2.000s'), 500);
  assert.equal(between('+1.500s', '2025-05-06T08:00:01.000Z'), null);
  assert.equal(between(null, '2025-05-06T08:00:01.000Z'), null);
});

test('clipping never leaves half a character', () => {
  assert.equal(clip('abcdef', 4), 'abc…');
  assert.equal(clip('ab😀def', 4), 'ab…');
});
