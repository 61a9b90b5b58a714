// When a live run speaks: urgent causes at once, an interim verdict at three minutes, changed answers, the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Opinion, whenToReport, type Said, say } from '../../src/reporting/when-to-report.ts';
import type { Status, VerdictCause } from '../../src/types.ts';

const DEADLINE_MS = 720_000;

interface Sure {
  readonly isUrgent?: boolean;
  readonly repeatsMs?: number;
  readonly needsAnswers?: boolean;
  readonly isReadyForSure?: boolean;
  readonly confidence?: VerdictCause['confidence'];
}

function opinion(
  status: Status,
  id: string | null = null,
  { isUrgent = false, repeatsMs = 0, needsAnswers = false, isReadyForSure = true, confidence = 'high' }: Sure = {},
): Opinion {
  const cause =
    id === null
      ? null
      : {
          id,
          title: id,
          confidence,
          possible: false,
          repair: 'fix-first' as const,
          summary: '',
          check: [],
          remedy: [],
          references: [],
        };
  return { verdict: { status, cause }, isUrgent, repeatsMs, needsAnswers, isReadyForSure };
}

function at(seconds: number, what: Opinion, said: Said | null = null): ReturnType<typeof whenToReport> {
  return whenToReport(what, said, seconds * 1000, DEADLINE_MS);
}

function saidAt(seconds: number, what: Opinion, before: Said | null = null): Said {
  return say(before, what.verdict, seconds * 1000);
}

const booting = opinion('bootstrapping');
const urgent = opinion('failed', 'swap-enabled', { isUrgent: true });
const transient = opinion('failed', 'node-unauthorized', { confidence: 'medium' });

test('a boot that goes on says nothing before three minutes', () => {
  assert.deepEqual(at(20, booting), { act: 'hold', untilMs: 180_000 });
  assert.deepEqual(at(179.9, transient), { act: 'hold', untilMs: 180_000 });
  assert.deepEqual(at(180, booting), { act: 'say', why: 'interim' });
});

test('an urgent cause is said at once, and once', () => {
  assert.deepEqual(at(20, urgent), { act: 'say', why: 'urgent' });
  assert.deepEqual(at(21, urgent, saidAt(20, urgent)), { act: 'hold', untilMs: 180_000 });
  const another = opinion('failed', 'disk-full', { isUrgent: true });
  assert.deepEqual(
    at(22, another, saidAt(20, urgent)),
    { act: 'say', why: 'urgent' },
    'another cause waits for nothing',
  );
  assert.deepEqual(
    at(23, urgent, saidAt(22, another, saidAt(20, urgent))),
    { act: 'hold', untilMs: 52_000 },
    'one that was said before keeps the distance',
  );
});

test('an error that repeats for a minute without progress is said then, once', () => {
  const repeating = (repeatsMs: number) => opinion('failed', 'node-unauthorized', { confidence: 'medium', repeatsMs });
  assert.deepEqual(at(50, repeating(20_000)), { act: 'hold', untilMs: 90_000 });
  assert.deepEqual(at(90, repeating(60_000)), { act: 'say', why: 'repeats' });
  assert.deepEqual(at(95, repeating(65_000), saidAt(90, repeating(60_000))), { act: 'hold', untilMs: 180_000 });
});

test('an urgent cause that no line names is told from one that a line names', () => {
  assert.deepEqual(at(90, opinion('failed', 'api-server-unreachable', { isUrgent: true, needsAnswers: true })), {
    act: 'say',
    why: 'shown',
  });
});

test('a changed answer keeps its distance of 30 s', () => {
  const said = saidAt(200, booting);
  assert.deepEqual(at(210, transient, said), { act: 'hold', untilMs: 230_000 });
  assert.deepEqual(at(230, transient, said), { act: 'say', why: 'changed' });
  assert.deepEqual(at(300, booting, said), { act: 'hold', untilMs: DEADLINE_MS });
  const surer = opinion('failed', 'node-unauthorized', { confidence: 'high' });
  assert.deepEqual(
    at(300, surer, saidAt(240, transient, said)),
    { act: 'say', why: 'changed' },
    'confidence is part of the answer',
  );
});

test('the verdict at three minutes comes also after an urgent one, but not right behind it', () => {
  assert.deepEqual(at(180, urgent, saidAt(20, urgent)), { act: 'say', why: 'interim' });
  assert.deepEqual(at(180, urgent, saidAt(170, urgent)), { act: 'hold', untilMs: 200_000 });
  assert.deepEqual(at(200, urgent, saidAt(180, urgent)), { act: 'hold', untilMs: DEADLINE_MS });
});

test('Ready and the deadline end it', () => {
  assert.deepEqual(at(45, opinion('ready')), { act: 'end', why: 'ready' });
  assert.deepEqual(at(720, booting, saidAt(180, booting)), { act: 'end', why: 'deadline' });
  assert.deepEqual(at(720, opinion('ready')), { act: 'end', why: 'ready' });
});

test('a node that one record alone calls Ready is watched on, until the deadline', () => {
  const ready = opinion('ready', null, { isReadyForSure: false });
  assert.equal(whenToReport(ready, null, 100_000, 720_000).act, 'hold');
  assert.deepEqual(whenToReport(ready, null, 720_000, 720_000), { act: 'end', why: 'deadline' });
  assert.deepEqual(whenToReport(opinion('ready'), null, 100_000, 720_000), { act: 'end', why: 'ready' });
});
