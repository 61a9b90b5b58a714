import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BATCH_EVENTS } from '../../../src/sinks/spool/ship-waiting.ts';
import { SPOOL_FILE_MAX_BYTES } from '../../../src/sinks/spool/spool-file.ts';
import { firstBatch } from '../../../src/sinks/cloudwatch/batch.ts';

const HOUR_MS = 3_600_000;

test('oldest first, and events of the same time keep their order', () => {
  const events = [3, 1, 2, 1].map((timeMs, index) => ({ timeMs, text: String(index) }));
  assert.deepEqual(
    firstBatch(events).map(({ text }) => text),
    ['1', '3', '2', '0'],
  );
});

test('no batch spans a day', () => {
  const events = [24, 0, 48, 23].map((hour) => ({ timeMs: hour * HOUR_MS, text: '' }));
  assert.deepEqual(
    firstBatch(events).map(({ timeMs }) => timeMs / HOUR_MS),
    [0, 23],
  );
});

test('nothing makes an empty batch', () => {
  assert.deepEqual(firstBatch([]), []);
});

test('the limits that are not looked at are out of reach', () => {
  const [EVENT_OVERHEAD_BYTES, BATCH_MAX_BYTES] = [26, 1_048_576];
  assert.ok(BATCH_EVENTS * (SPOOL_FILE_MAX_BYTES + EVENT_OVERHEAD_BYTES) <= BATCH_MAX_BYTES);
});
