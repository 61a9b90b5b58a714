// What a node answered, as words: beside the proof, below it, and never more than there is room for.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fillSentence } from '../../src/render/fill-sentence.ts';
import type { AnswerTables } from '../../src/render/probes.ts';
import { renderText, TEXT_MAX_CHARS, type TextOptions } from '../../src/render/text.ts';
import type { Verdict, VerdictProbe } from '../../src/types.ts';
import { FAILED, redacted } from './verdicts.ts';

const TABLES: AnswerTables = new Map([
  [
    'swap-off',
    { 'swap-on': { sentence: 'Swap is on: {swap_device} with {swap_mib} MiB.' }, ok: { sentence: 'Swap is off.' } },
  ],
  ['sts-reachable', { 'region-unknown': { sentence: 'The region is not known.' } }],
  ['ssm-reachable', { 'region-unknown': { sentence: 'The region is not known.' } }],
  ['clock-right', { 'not-synchronized': { sentence: 'No time service keeps the clock right.' } }],
]);

function probe(name: string, code: string, over: Partial<VerdictProbe> = {}): VerdictProbe {
  return {
    probe: name,
    code,
    outcome: code === 'ok' ? 'ok' : 'fail',
    facts: {},
    elapsedMs: 12,
    bearing: null,
    ...over,
  };
}

function linesOf(
  probes: readonly VerdictProbe[],
  over: Partial<Verdict> = {},
  given: Partial<TextOptions> = {},
): string[] {
  const options = {
    color: false,
    prefix: '',
    isLog: false,
    offersAwsChecks: false,
    width: null,
    focus: () => null,
    follows: () => false,
    reasons: {},
    answers: TABLES,
    ...given,
  };
  return renderText(redacted({ ...FAILED, probes, ...over }), options).split('\n');
}

function sectionOf(lines: readonly string[], title: string): string[] {
  const start = lines.indexOf(title);
  if (start < 0) return [];
  const end = lines.indexOf('', start);
  return lines.slice(start + 1, end < 0 ? undefined : end);
}

const SWAP_ON = probe('swap-off', 'swap-on', {
  facts: { swap_device: '/swapfile', swap_mib: 1024 },
  bearing: 'proves',
});

describe('an answer that bears on the cause', () => {
  test('stands in the proof behind the strongest line', () => {
    const proof = sectionOf(linesOf([SWAP_ON, probe('kubelet-healthy', 'ok', { bearing: 'refutes' })]), 'Proof');
    assert.deepEqual(proof.slice(2), [
      '  asked the node  swap-off  proves it',
      '    Swap is on: /swapfile with 1024 MiB.',
      '  asked the node  kubelet-healthy  contradicts it',
      '    ok',
    ]);
  });

  test('is the whole proof where no line speaks for it', () => {
    assert.deepEqual(sectionOf(linesOf([SWAP_ON], { evidence: [] }), 'Proof'), [
      '  asked the node  swap-off  proves it',
      '    Swap is on: /swapfile with 1024 MiB.',
    ]);
  });

  test('is not told twice', () => {
    assert.deepEqual(sectionOf(linesOf([SWAP_ON]), 'Asked the node'), []);
  });
});

describe('the other answers', () => {
  test('what only follows from the cause is told in one line', () => {
    const answers = ['swap-off', 'clock-right', 'sts-reachable'].map((name) => probe(name, 'bad'));
    const follows = ({ probe: name }: VerdictProbe): boolean => name !== 'clock-right';
    assert.deepEqual(sectionOf(linesOf(answers, {}, { follows }), 'Asked the node'), [
      '  fail    clock-right: bad',
      '  fail    swap-off, sts-reachable: follows from the cause',
    ]);
  });

  test('failures first, then time-outs, what was not asked, and good ones on one line', () => {
    const good = ['disk-space-left', 'memory-free', 'files-present', 'cni-config-present'].map((name) =>
      probe(name, 'ok'),
    );
    const answers = [
      ...good,
      probe('sts-reachable', 'region-unknown', { outcome: 'skipped' }),
      probe('ssm-reachable', 'region-unknown', { outcome: 'skipped' }),
      probe('eks-api-reachable', 'time-limit', { outcome: 'timeout', elapsedMs: 3_000 }),
      probe('clock-right', 'not-synchronized', { outcome: 'ok' }),
      probe('swap-off', 'swap-on', { facts: { swap_mib: 5 } }),
    ];
    assert.deepEqual(sectionOf(linesOf(answers), 'Asked the node'), [
      '  fail    swap-off: Swap is on: SWAP_DEVICE with 5 MiB.',
      '  timeout eks-api-reachable: There was no answer within the time limit. (3 s)',
      '  skipped sts-reachable, ssm-reachable: The region is not known.',
      '  ok      clock-right: No time service keeps the clock right.',
      '  ok      disk-space-left, memory-free, files-present, cni-config-present',
    ]);
  });

  test('a few good ones have a line each; a code without a sentence is shown as it is', () => {
    assert.deepEqual(sectionOf(linesOf([probe('swap-off', 'ok'), probe('own-probe', 'own-code')]), 'Asked the node'), [
      '  fail    own-probe: own-code',
      '  ok      swap-off: Swap is off.',
    ]);
  });

  test('many with long facts stay within the limit of the whole', () => {
    const long = { swap_device: 'x'.repeat(5_000), swap_mib: 'y'.repeat(5_000) };
    const many = Array.from({ length: 40 }, (_, index) =>
      probe('swap-off', 'swap-on', { facts: long, bearing: index % 2 === 0 ? 'confirms' : null }),
    );
    const text = linesOf(many).join('\n');
    assert.ok(text.length < TEXT_MAX_CHARS, String(text.length));
    assert.match(text, /\n {5}node\$ swapoff -a && systemctl restart kubelet\n/);
  });
});

test('a fact cannot break a line, move the cursor or name another fact', () => {
  const facts = { swap_device: '\u001b[2J\r\nREADY {swap_mib}', swap_mib: 1 };
  const lines = linesOf([probe('swap-off', 'swap-on', { facts })]);
  assert.ok(
    lines.includes('  fail    swap-off: Swap is on: \\x1b[2J\\r\\nREADY {swap_mib} with 1 MiB.'),
    lines.join('\n'),
  );
});

test('a secret in a fact is not shown', () => {
  const text = linesOf([
    probe('swap-off', 'swap-on', { facts: { swap_device: 'http://user:hunter22@proxy', swap_mib: 1 } }),
  ]).join('\n');
  assert.ok(!text.includes('hunter22'));
});

test('a parenthesis of which nothing is known is left out', () => {
  assert.equal(fillSentence('Refused by {host} ({reason}).', { host: 'h' }), 'Refused by h.');
  assert.equal(
    fillSentence('Refused ({reason}, {address}).', { reason: 'RST', address: '' }),
    'Refused (RST, ADDRESS).',
  );
  assert.equal(fillSentence('{a} {b}', { a: 0, b: false }), '0 false');
});

test('a cause that only a probe saw says so where it is listed', () => {
  const lines = linesOf([SWAP_ON], { otherCauses: [{ ...FAILED.otherCauses[0]!, count: 0 }] });
  assert.ok(lines.includes('  The disk is full (disk-full, confidence low), seen by a probe'));
});
