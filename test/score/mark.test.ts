import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pack, Status, Verdict } from '../../src/types.ts';
import { type Mark, markFailure, markVerdict } from './mark.ts';
import type { PracticeCase } from './practice-case.ts';
import { reportOf } from './report.ts';

const pack = {
  causes: [
    { id: 'wrapper', kind: 'symptom' },
    { id: 'disk-full', kind: 'cause' },
  ],
} as unknown as Pack;

function labelled(...truth: string[]): PracticeCase {
  return { id: 'p00-test', os: 'al2', shape: 'a', difficulty: 'plain', truth, acceptable: ['nearly-right'], logs: '' };
}

function verdict(cause: string | null, signature: string, status: Status = 'failed'): Verdict {
  return {
    status,
    cause: cause === null ? null : { id: cause, confidence: 'high' },
    evidence: [{ stream: 'kubelet', signature, line: 'a line' }],
  } as unknown as Verdict;
}

function marked(truth: string, cause: string | null, signature: string = 'disk-full/a'): Mark {
  return markVerdict(pack, labelled(truth), verdict(cause, signature, cause === null ? 'unknown' : 'failed'));
}

test('an answer is right if it is the truth or acceptable', () => {
  assert.equal(marked('disk-full', 'disk-full').right, true);
  assert.equal(marked('disk-full', 'nearly-right').right, true);
  assert.equal(marked('disk-full', 'swap-enabled').right, false);
  assert.equal(marked('disk-full', null).right, false);
});

test('where nothing is wrong, only silence is right', () => {
  assert.equal(marked('none', null).right, true);
  assert.equal(marked('none', 'nearly-right').right, false);
  assert.equal(markFailure(labelled('none'), 'no verdict').right, false);
});

test('where lines are not enough or no id fits, silence is right too', () => {
  const silent = (given: Partial<PracticeCase>): boolean =>
    markVerdict(pack, { ...labelled('disk-full'), ...given }, verdict(null, 'disk-full/a')).right;
  assert.equal(silent({ enough: 'yes' }), false);
  assert.equal(silent({ enough: 'partly' }), true);
  assert.equal(silent({ enough: 'no' }), true);
  assert.equal(silent({ truth: ['unlisted:a-thing'] }), true);
  assert.equal(silent({ acceptable: ['none'] }), true);
  assert.equal(
    markVerdict(pack, { ...labelled('unlisted:a-thing'), acceptable: [] }, verdict('disk-full', 'disk-full/a')).right,
    false,
  );
});

test('where nothing is wrong, a failed status is wrong even without a cause', () => {
  assert.equal(markVerdict(pack, labelled('none'), verdict(null, 'disk-full/a')).right, false);
  assert.equal(marked('none', null).right, true);
});

test('a first line that belongs to a symptom is a wrapper', () => {
  assert.equal(marked('disk-full', 'disk-full', 'wrapper/a').wrapped, true);
  assert.equal(marked('disk-full', 'disk-full', 'disk-full/a').wrapped, false);
});

test('the report names misses, confidence and rates', () => {
  const report = reportOf([
    marked('disk-full', 'disk-full', 'wrapper/a'),
    marked('disk-full', 'swap-enabled'),
    marked('none', null),
  ]);
  assert.match(
    report,
    /p00-test \(a al2 plain\): wanted disk-full or nearly-right, said swap-enabled \(high\)\n {6}kubelet \[disk-full\/a\] a line/,
  );
  assert.match(report, /right +1 +0 +0\n +wrong +1/);
  assert.match(report, /right: 2 of 3 \(66\.7 %\)/);
  assert.match(report, /wrapper: 1 of 1 \(100\.0 %\)/);
});
