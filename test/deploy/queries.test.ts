// The saved queries over real events, by the evaluator beside this file (insights.ts): ours, since no engine can be had.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedQueries } from '../../build/alarm-path.ts';
import { renderBootStarted, renderCloudWatchEvent } from '../../src/render/cloudwatch/cloudwatch-event.ts';
import type { Verdict } from '../../src/types.ts';
import { FAILED, redacted } from '../render/verdicts.ts';
import { evaluate } from './insights.ts';

const QUERIES = savedQueries();
const START_MS = Date.UTC(2025, 4, 6, 8, 0);

let sequence = 0;
function said(instance: string, causeId: string | null, more: Partial<Verdict> = {}): { atMs: number; text: string } {
  const number = sequence++;
  const verdict: Verdict = {
    ...FAILED,
    id: number.toString(16).padStart(32, '0'),
    at: new Date(START_MS + number * 60_000).toISOString(),
    status: causeId === null ? 'ready' : 'failed',
    cause:
      causeId === null
        ? null
        : { ...FAILED.cause!, id: causeId, repair: causeId === 'swap-enabled' ? 'fix-first' : 'replace-useless' },
    node: { ...FAILED.node, instanceId: instance, nodePool: 'general', capacityType: 'spot' },
    final: true,
    ...more,
  };
  return renderCloudWatchEvent(redacted(verdict), { nowMs: START_MS, counts: null });
}

const unauthorized = said('i-0000000000000000b', 'node-unauthorized');
const EVENTS = [
  renderBootStarted(redacted({ ...FAILED, final: false }), START_MS),
  said('i-0000000000000000a', 'node-unauthorized', { final: false }),
  said('i-0000000000000000a', 'node-unauthorized'),
  unauthorized,
  unauthorized,
  said('i-0000000000000000c', 'node-unauthorized'),
  said('i-0000000000000000d', 'swap-enabled'),
  said('i-0000000000000000e', 'swap-enabled', { final: false }),
  said('i-0000000000000000e', null),
  said('i-0000000000000000f', null),
];

test('causes by count name examples, count a repeated delivery once and leave out what is interim', () => {
  assert.deepEqual(evaluate(QUERIES['causes-by-count']!, EVENTS), [
    {
      cause: 'node-unauthorized',
      whatHelps: 'replace-useless',
      nodes: 3,
      example: 'i-0000000000000000a',
      another: 'i-0000000000000000c',
    },
    {
      cause: 'swap-enabled',
      whatHelps: 'fix-first',
      nodes: 1,
      example: 'i-0000000000000000d',
      another: 'i-0000000000000000d',
    },
  ]);
});

test('failures by node pool', () => {
  assert.deepEqual(evaluate(QUERIES['failures-by-node-pool']!, EVENTS), [
    { pool: 'general', capacity: 'spot', nodes: 4 },
  ]);
});

test('the last failures, newest first, each once, with what the cause says', () => {
  const rows = evaluate(QUERIES['why-did-the-last-nodes-not-become-ready']!, EVENTS);
  assert.deepEqual(
    rows.map(({ instanceId }) => String(instanceId).at(-1)),
    ['d', 'c', 'a', 'b'],
  );
  assert.ok(rows.every((row) => row['verdict.cause.summary'] === FAILED.cause!.summary));
});

test('one instance, with its fix', () => {
  const query = QUERIES['what-does-one-instance-say']!.replace('i-0123456789abcdef0', 'i-0000000000000000d');
  const [row, ...more] = evaluate(query, EVENTS);
  assert.deepEqual(
    [row?.['causeId'], row?.['verdict.cause.remedy.0.text'], more],
    ['swap-enabled', FAILED.cause!.remedy[0]!.text, []],
  );
});

test('what failed first and became Ready all the same', () => {
  const rows = evaluate(QUERIES['which-nodes-failed-first-and-became-ready-all-the-same']!, EVENTS);
  assert.deepEqual(
    rows.map(({ instanceId, last, verdicts }) => [instanceId, last, verdicts]),
    [['i-0000000000000000e', 'ready', 2]],
  );
});

test('how long nodes take, what failures share, whose clock is wrong', () => {
  const [times, ...pools] = evaluate(QUERIES['how-long-do-nodes-take-to-become-ready']!, EVENTS);
  assert.deepEqual([times?.['pool'], times?.['nodes'], pools], ['general', 2, []]);
  const [shared] = evaluate(QUERIES['which-ami-instance-type-or-zone-do-the-failures-share']!, EVENTS);
  assert.deepEqual(shared, {
    ami: undefined,
    type: FAILED.node.instanceType,
    zone: FAILED.node.availabilityZone,
    nodes: 4,
  });
  assert.deepEqual(evaluate(QUERIES['whose-clock-is-wrong']!, EVENTS), []);
});

test('the evaluator refuses what it does not know', () => {
  for (const query of [
    'parse x',
    'stats avg(x) as y by z',
    'filter a ~ "b"',
    'stats latest(x) as y by id | stats latest(y) as z by y',
    'sort x',
  ])
    assert.throws(() => evaluate(query, EVENTS), /unknown|needs @timestamp/, query);
});
