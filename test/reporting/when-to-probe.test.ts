// When a live run asks the node, and when it speaks without waiting for the answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, mayAct, shouldProbe } from '../../src/reporting/when-to-probe.ts';
import type { Decision, Said } from '../../src/reporting/when-to-report.ts';

const DEADLINE_MS = 720_000;
const hold: Decision = { act: 'hold', untilMs: 180_000 };
const urgent: Decision = { act: 'say', why: 'urgent' };
const shown: Decision = { act: 'say', why: 'shown' };
const interim: Decision = { act: 'say', why: 'interim' };
const ready: Decision = { act: 'end', why: 'ready' };
const deadline: Decision = { act: 'end', why: 'deadline' };
const saidAt = (atMs: number): Said => ({ atMs, answer: 'failed', causes: new Set(['swap-enabled']) });
const askedAt = (startedMs: number, finishedMs: number | null = startedMs + 1_000): Asked => ({
  startedMs,
  finishedMs,
});

function may(decision: Decision, asked: Asked | null, nowMs: number, readySinceMs: number | null = null): boolean {
  return mayAct(decision, asked, readySinceMs, nowMs);
}

function should(
  decision: Decision,
  asked: Asked | null,
  nowMs: number,
  { said = null as Said | null, readySinceMs = null as number | null } = {},
): boolean {
  return shouldProbe(decision, asked, said, readySinceMs, nowMs, DEADLINE_MS);
}

test('an urgent cause is said without asking, and asked about afterwards', () => {
  assert.equal(may(urgent, null, 20_000), true);
  assert.equal(should(hold, null, 20_100, { said: saidAt(20_000) }), true);
  assert.equal(should(hold, askedAt(20_100), 30_000, { said: saidAt(20_000) }), false);
});

test('an urgent cause that only the node’s answers show is said on fresh ones', () => {
  const early = askedAt(20_000);
  assert.equal(may(shown, early, 90_000), false);
  assert.equal(should(shown, early, 90_000), true);
  assert.equal(may(shown, askedAt(90_000, null), 91_000), false);
  assert.equal(may(shown, askedAt(90_000), 91_000), true);
});

test('a young boot is left in peace', () => {
  assert.equal(should(hold, null, 20_000), false);
});

test('an interim verdict waits for fresh answers', () => {
  assert.equal(may(interim, null, 180_000), false);
  assert.equal(should(interim, null, 180_000), true);
  assert.equal(may(interim, askedAt(180_000, null), 183_000), false);
  assert.equal(should(interim, askedAt(180_000, null), 183_000), false, 'one probing at a time');
  assert.equal(may(interim, askedAt(180_000), 181_000), true);
  assert.equal(may(interim, askedAt(100_000), 180_000), false, 'old answers do not count');
});

test('Ready is confirmed by answers that were asked for after the log said so', () => {
  assert.equal(may(ready, askedAt(40_000), 46_000, 45_000), false);
  assert.equal(should(ready, askedAt(40_000), 46_000, { readySinceMs: 45_000 }), true);
  assert.equal(may(ready, askedAt(45_000), 46_000, 45_000), true);
  assert.equal(
    should(hold, askedAt(45_000), 51_000, { readySinceMs: 45_000 }),
    true,
    'the log says Ready and the API server does not: asked again',
  );
});

test('answers are on hand at the deadline, and it waits for them only so long', () => {
  assert.equal(should(hold, askedAt(690_000), 711_500), true);
  assert.equal(may(deadline, askedAt(711_500), 720_000), true);
  assert.equal(may(deadline, null, 720_000), false, 'started too late: asked first');
  assert.equal(should(deadline, null, 720_000), true);
  assert.equal(may(deadline, askedAt(720_000, null), 728_000), false);
  assert.equal(may(deadline, askedAt(720_000, null), 729_000), true);
});

test('a boot that takes long is asked every minute', () => {
  assert.equal(should(hold, askedAt(180_000), 230_000), false);
  assert.equal(should(hold, askedAt(180_000), 240_000), true);
});
