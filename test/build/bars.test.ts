import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLeast, atMost, fact } from '../../build/bars.ts';

const judged = ({ ok, failed }: { ok: boolean; failed: boolean }) => ({ ok, failed });
const HELD = { ok: true, failed: false };
const MISSED = { ok: false, failed: false };
const FAILED = { ok: false, failed: true };

test('a speed bar fails only when missed by more than twice', () => {
  const time = (seen: number) => judged(atMost({ bar: 'start', unit: 'ms', wanted: 50, seen }));
  assert.deepEqual(
    [time(50), time(51), time(100), time(101), time(Number.NaN)],
    [HELD, MISSED, MISSED, FAILED, FAILED],
  );
  const rate = (seen: number) => judged(atLeast({ bar: 'scan', unit: 'MB/s', wanted: 300, seen }));
  assert.deepEqual(
    [rate(300), rate(299), rate(150), rate(149), rate(Number.NaN)],
    [HELD, MISSED, MISSED, FAILED, FAILED],
  );
});

test('a fact holds or fails', () => {
  assert.deepEqual(judged(fact('bytes', 'same', 'same')), HELD);
  assert.deepEqual(judged(fact('bytes', 'same', 'other')), FAILED);
});
