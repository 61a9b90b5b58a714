import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServiceClock } from '../../../src/sinks/cloudwatch/clock.ts';
import type { ShippedEvent } from '../../../src/sinks/shipper.ts';

const NODE_MS = Date.UTC(2025, 4, 6, 8);
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

function place(serviceMs: number, event: Partial<ShippedEvent> = {}, now = false) {
  const clock = createServiceClock(() => NODE_MS);
  clock.hear(new Date(serviceMs).toUTCString());
  const text = JSON.stringify({ id: 'a', _aws: { Timestamp: NODE_MS, CloudWatchMetrics: [] }, verdict: { at: null } });
  return clock.place({ id: 'a', atMs: NODE_MS - 1000, final: true, instanceId: null, text, ...event }, now);
}

test('a clock that is less than five minutes off is believed', () => {
  for (const offMs of [0, 5 * MINUTE_MS, -5 * MINUTE_MS]) {
    const placed = place(NODE_MS + offMs);
    assert.equal(placed.timeMs, NODE_MS - 1000);
    assert.doesNotMatch(placed.text, /serviceTime/);
  }
});

test('otherwise the service says the time, and both times are in the event, before the verdict', () => {
  for (const offMs of [6 * MINUTE_MS, -6 * MINUTE_MS, 3650 * DAY_MS]) {
    const { timeMs, text } = place(NODE_MS + offMs);
    assert.equal(timeMs, NODE_MS - 1000 + offMs);
    assert.deepEqual(JSON.parse(text), {
      id: 'a',
      nodeTime: new Date(NODE_MS - 1000).toISOString(),
      serviceTime: new Date(timeMs).toISOString(),
      _aws: { Timestamp: timeMs, CloudWatchMetrics: [] },
      verdict: { at: null },
    });
    assert.equal(Object.keys(JSON.parse(text) as object).at(-1), 'verdict');
  }
});

test('an event that is too old or too new for the service gets the time of its delivery', () => {
  for (const atMs of [NODE_MS - 14 * DAY_MS, NODE_MS + 2 * 60 * MINUTE_MS, Number.NaN, Infinity]) {
    assert.equal(place(NODE_MS, { atMs }).timeMs, NODE_MS);
  }
  assert.equal(place(NODE_MS, { atMs: NODE_MS - 13 * DAY_MS }).timeMs, NODE_MS - 13 * DAY_MS);
});

test('so does one that the service did not take', () => {
  assert.equal(place(NODE_MS, {}, true).timeMs, NODE_MS);
});

test('text that is no JSON object is shipped as it is', () => {
  for (const text of ['{"id":', '[1]', 'null', '']) assert.equal(place(NODE_MS + DAY_MS, { text }).text, text);
});

test('a service that says no time, or nonsense, changes nothing', () => {
  const clock = createServiceClock(() => NODE_MS);
  for (const date of [undefined, '', 'soon']) clock.hear(date);
  assert.equal(clock.offsetMs, 0);
});
