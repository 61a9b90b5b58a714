import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePack } from '../../src/signatures/compile.ts';
import { causeFile, complaintAbout, signature, sourcesOf } from './small-pack.ts';

const REFUSED: readonly (readonly [what: string, causes: Record<string, string>, message: RegExp])[] = [
  ['an unknown id in explains', { a: causeFile('a', 'explains: [b]') }, /^host\/a\.yaml:9: unknown id "b"$/],
  [
    'an unknown milestone in recoveredBy',
    { a: causeFile('a', 'recoveredBy:\n  - no-such') },
    /^host\/a\.yaml:10: unknown milestone or signature "no-such"$/,
  ],
  [
    'an unknown phase',
    { a: causeFile('a').replace('phase: kubelet', 'phase: lunch') },
    /^host\/a\.yaml:4: unknown phase "lunch"$/,
  ],
  [
    'an unknown stream',
    { a: causeFile('a', signature('regex: some long line\nstreams: [kublet]')) },
    /^host\/a\.yaml:14: unknown stream "kublet"$/,
  ],
  [
    'an unknown milestone of a stall',
    { a: causeFile('a', 'stalls:\n  - {id: s, after: no-such, without: [kubelet-started], for: 1m}') },
    /^host\/a\.yaml:10: unknown milestone "no-such"$/,
  ],
  [
    'an unknown signature in requires',
    { a: causeFile('a', signature('regex: some long line\nrequires: [{signature: two}]')) },
    /^host\/a\.yaml:14: unknown signature "a\/two"$/,
  ],
  [
    'an expression without any literal',
    { a: causeFile('a', signature("regex: '^\\d+ \\w+$'")) },
    /^host\/a\.yaml:13: a\/one: no text of at least 4 plain ASCII characters/,
  ],
  [
    'a literal that a carrier changes',
    { a: causeFile('a', signature('regex: some long line\nliterals: [say "no"]')) },
    /^host\/a\.yaml:14: .*quote/,
  ],
  [
    'lookaround',
    { a: causeFile('a', signature("regex: 'some (?=long) line'")) },
    /^host\/a\.yaml:13: a\/one: regex: lookaround is not allowed/,
  ],
  [
    'lookaround in a veto',
    { a: causeFile('a', signature("regex: some long line\nnot: ['a(?!b)']")) },
    /^host\/a\.yaml:14: a\/one: not: lookaround/,
  ],
  [
    'a signature id given twice',
    {
      a: causeFile(
        'a',
        signature('regex: some long line') +
          '  - {id: one, regex: some other line, decisive: true, samples: {match: [{line: x, source: derived}]}}',
      ),
    },
    /the id one is there twice/,
  ],
  [
    'a cause that does not say what a new node would do',
    { a: causeFile('a').replace('repair: fix-first\n', '') },
    /^host\/a\.yaml:3: a cause needs repair: replace-helps or replace-useless or wait or fix-first$/,
  ],
  [
    'a symptom that says it',
    { a: causeFile('a').replace('kind: cause', 'kind: symptom') },
    /^host\/a\.yaml:6: a symptom has no repair: its cause says it$/,
  ],
  ['a repair of another name', { a: causeFile('a').replace('fix-first', 'reboot') }, /^host\/a\.yaml:6: /],
  ['a cause that explains itself', { a: causeFile('a', 'explains: [a]') }, /^host\/a\.yaml:9: explains itself: a → a$/],
  [
    'a cause that explains itself by a detour',
    {
      a: causeFile('a', 'explains: [b]'),
      b: causeFile('b', 'explains: [c]'),
      c: causeFile('c', 'explains: [{id: a, within: 5m}]'),
    },
    /explains itself: a → b → c → a$/,
  ],
];

for (const [what, causes, message] of REFUSED)
  test(`refuses ${what}`, () => assert.match(complaintAbout(causes) ?? 'nothing', message));

test('a cause may be explained along two ways', () => {
  const causes = { a: causeFile('a', 'explains: [b, c]'), b: causeFile('b', 'explains: [c]'), c: causeFile('c') };
  assert.equal(complaintAbout(causes), null);
});

test('a group with an unknown stream is refused', () => {
  const streams =
    'streams: [{name: kubelet, title: kubelet}]\ngroups: {node: [kubelet, kernel]}\nprocessList: kubelet\n';
  assert.match(complaintAbout({}, { streams })!, /^streams\.yaml:2: unknown stream "kernel"$/);
});

test('a list of processes in an unknown stream is refused', () => {
  const streams = 'streams: [{name: kubelet, title: kubelet}]\nprocessList: ps\n';
  assert.match(complaintAbout({}, { streams })!, /^streams\.yaml:2: unknown stream "ps"$/);
});

test('a signature gets its streams from groups, its literals from the expression, its key from the file', () => {
  const text = causeFile(
    'a',
    signature(
      "regex: '^some long line (?<n>\\d+)'\nstreams: [node, kubelet]\noccurrences: {atLeast: 3, within: 1m, lasting: 30s}",
    ),
  );
  const { pattern, occurrences, derivedOnly } = compilePack(sourcesOf({ a: text })).causes[0]!.signatures[0]!;
  assert.equal(pattern.key, 'a/one');
  assert.deepEqual(pattern.streams, ['kubelet', 'kernel']);
  assert.deepEqual(pattern.literals, ['some long line ']);
  assert.equal(pattern.keepTimes, 3);
  assert.deepEqual(occurrences, { atLeast: 3, withinMs: 60_000, lastingMs: 30_000 });
  assert.equal(derivedOnly, true);
});

test('the digest follows the content and nothing else', () => {
  const a = { a: causeFile('a', signature('regex: some long line')) };
  const b = { a: causeFile('a', signature('regex: some long lines')) };
  const digests = [a, { ...a }, b].map((causes) => compilePack(sourcesOf(causes)).digest);
  assert.equal(digests[0], digests[1]);
  assert.notEqual(digests[0], digests[2]);
  assert.match(digests[0]!, /^[0-9a-f]{64}$/);
});
