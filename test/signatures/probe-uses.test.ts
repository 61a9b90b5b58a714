// What a file may say about the answers of probes, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePack } from '../../src/signatures/compile.ts';
import { PackError } from '../../src/signatures/read-yaml.ts';
import { causeFile, complaintAbout, sourcesOf } from './small-pack.ts';

function complaint(use: string): string {
  try {
    return complaintAbout({ a: causeFile('a', `probes:\n  - ${use}`) }) ?? 'nothing';
  } catch (error) {
    assert.ok(error instanceof PackError);
    return error.message;
  }
}

const REFUSED: readonly (readonly [what: string, use: string, message: RegExp])[] = [
  ['an unknown bearing', '{probe: p, code: c, as: suggests}', /probes/],
  ['no code', '{probe: p, code: [], as: proves}', /probes/],
  ['an unknown word', '{probe: p, code: c, as: proves, unless: x}', /unless/],
  [
    'a condition of an unknown kind',
    '{probe: p, code: c, as: proves, where: [{fact: f, test: above, value: 1}]}',
    /above|test/,
  ],
  [
    'a bar that is no number',
    '{probe: p, code: c, as: proves, where: [{fact: f, test: atLeast, value: "1"}]}',
    /value/,
  ],
  ['a list that is none', '{probe: p, code: c, as: proves, where: [{fact: f, test: in, value: x}]}', /value/],
  [
    'a fact that is no fact',
    '{probe: p, code: c, as: proves, where: [{fact: "a b", test: equals, value: x}]}',
    /snake_case/,
  ],
  [
    'a condition on the boot for what only confirms',
    '{probe: p, code: c, as: confirms, when: always}',
    /for proves alone/,
  ],
  [
    'company for what only refutes',
    '{probe: p, code: c, as: refutes, requires: [{milestone: kubelet-started}]}',
    /for proves alone/,
  ],
  [
    'a place among the lines',
    '{probe: p, code: c, as: proves, requires: [{milestone: kubelet-started, within: 1m}]}',
    /no place among the lines/,
  ],
  [
    'a code of a milestone',
    '{probe: p, code: c, as: proves, requires: [{milestone: kubelet-started, code: c}]}',
    /only a probe answers/,
  ],
  [
    'an unknown milestone',
    '{probe: p, code: c, as: proves, requires: [{milestone: no-such}]}',
    /^host\/a\.yaml:10: unknown milestone "no-such"$/,
  ],
  [
    'an unknown signature',
    '{probe: p, code: c, as: proves, requires: [{signature: b/x}]}',
    /unknown signature "b\/x"$/,
  ],
  [
    'an expression that does not parse',
    "{probe: p, code: c, as: proves, where: [{fact: f, test: matches, value: 'a(?=b)'}]}",
    /^host\/a\.yaml:10: where f matches: lookaround/,
  ],
];

for (const [what, use, message] of REFUSED) test(`refuses ${what}`, () => assert.match(complaint(use), message));

test('a use gets its list of codes, its defaults and the keys of what it requires', () => {
  const text = causeFile(
    'a',
    'probes:\n  - {probe: p, code: [x, y], as: proves, requires: [{milestone: kubelet-started}, {probe: q, code: ok, absent: true}], appliesTo: {os: al2}}',
  );
  const [use] = compilePack(sourcesOf({ a: text })).causes[0]!.probes;
  const none = { order: null, withinMs: null, sameStream: false, sameProcess: false };
  assert.deepEqual(use, {
    probe: 'p',
    codes: ['x', 'y'],
    as: 'proves',
    where: [],
    when: 'stalled',
    requires: [
      { kind: 'milestone', target: 'kubelet-started', codes: null, absent: false, ...none },
      { kind: 'probe', target: 'q', codes: ['ok'], absent: true, ...none },
    ],
    appliesTo: { os: ['al2'] },
  });
});
