import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH_MAX_BYTES, batchesOf, EVENT_OVERHEAD_BYTES } from '../../../src/sinks/cloudwatch/batches.ts';

const HOUR_MS = 3_600_000;

test('oldest first, and events of the same time keep their order', () => {
  const events = [3, 1, 2, 1].map((timeMs, index) => ({ timeMs, text: String(index) }));
  assert.deepEqual(
    batchesOf(events).map((batch) => batch.map(({ text }) => text)),
    [['1', '3', '2', '0']],
  );
});

test('no batch spans a day', () => {
  const events = [0, 23, 24, 47, 48].map((hour) => ({ timeMs: hour * HOUR_MS, text: '' }));
  assert.deepEqual(
    batchesOf(events).map((batch) => batch.map(({ timeMs }) => timeMs / HOUR_MS)),
    [[0, 23], [24, 47], [48]],
  );
});

test('a batch is as large as CloudWatch takes it, in bytes of UTF-8 and with its own for each event', () => {
  const text = 'é'.repeat((BATCH_MAX_BYTES / 4 - EVENT_OVERHEAD_BYTES) / 2);
  const events = Array.from({ length: 9 }, (_, timeMs) => ({ timeMs, text }));
  assert.deepEqual(
    batchesOf(events).map((batch) => batch.length),
    [4, 4, 1],
  );
});

test('a batch has at most 10,000 events', () => {
  const events = Array.from({ length: 25_000 }, (_, timeMs) => ({ timeMs, text: '' }));
  assert.deepEqual(
    batchesOf(events).map((batch) => batch.length),
    [10_000, 10_000, 5_000],
  );
});

test('nothing makes no batch', () => {
  assert.deepEqual(batchesOf([]), []);
});
