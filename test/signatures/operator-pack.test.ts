import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePack } from '../../src/signatures/compile.ts';
import { applyOperatorFiles } from '../../src/signatures/operator-pack.ts';
import { causeFile, signature, sourcesOf } from './small-pack.ts';

const LINE = signature('regex: some long line');
const BUILT_IN = compilePack(
  sourcesOf({
    base: causeFile('base', `explains: [other]\n${LINE}`),
    other: causeFile('other', LINE),
    leaning: causeFile('leaning', 'recoveredBy: [other/one]'),
  }),
);

function apply(files: Readonly<Record<string, string>>): ReturnType<typeof applyOperatorFiles> {
  return applyOperatorFiles(
    BUILT_IN,
    Object.entries(files).map(([id, text]) => ({ name: `${id}.yaml`, text })),
  );
}

function complaints(files: Readonly<Record<string, string>>): string[] {
  return apply(files).refused.map((error) => error.message);
}

test('a new id adds a cause, and the digest tells', () => {
  const { pack, refused } = apply({ mine: causeFile('mine', `explains: [base]\n${LINE}`) });
  assert.deepEqual([refused, pack.added, pack.replaced, pack.disabled], [[], ['mine'], [], []]);
  assert.deepEqual(
    pack.causes.map((cause) => [cause.id, cause.group]),
    [
      ['base', 'host'],
      ['other', 'host'],
      ['leaning', 'host'],
      ['mine', 'operator'],
    ],
  );
  assert.notEqual(pack.digest, BUILT_IN.digest);
});

test('no files leave the pack and its digest as they are', () => assert.deepEqual(apply({}).pack, BUILT_IN));

test('a known id replaces the whole cause', () => {
  const { pack, refused } = apply({ base: causeFile('base', '').replace('A cause', 'Another title') });
  assert.deepEqual([refused, pack.replaced], [[], ['base']]);
  const base = pack.causes.find((cause) => cause.id === 'base')!;
  assert.deepEqual([base.title, base.signatures, base.explains], ['Another title', [], []]);
});

test('disabled switches a cause off, also one that others name', () => {
  const { pack, refused } = apply({ other: 'id: other\ndisabled: true\n' });
  assert.deepEqual([refused, pack.disabled], [[], ['other']]);
  assert.ok(pack.causes.every((cause) => cause.id !== 'other'));
});

const REFUSED: readonly (readonly [string, Record<string, string>, string])[] = [
  ['YAML that is none', { mine: 'id: [mine\n' }, 'mine.yaml:2:'],
  ['an unknown key', { mine: causeFile('mine', 'colour: red\n') }, 'mine.yaml:9: unknown key colour'],
  [
    'an id that is not the file name',
    { mine: causeFile('yours') },
    'mine.yaml:1: the id must be the file\'s name, "mine"',
  ],
  ['an expression that is not allowed', { mine: causeFile('mine', signature('regex: (a)long line')) }, 'mine.yaml:13:'],
  [
    'an expression for facts that a hostile value could keep busy',
    {
      mine: causeFile(
        'mine',
        "probes:\n  - {probe: p, code: c, as: proves, where: [{fact: f, test: matches, value: '(?:a|a)*b'}]}",
      ),
    },
    'mine.yaml:10: where f matches: a hostile line of 1000 characters, such as "aaaa',
  ],
  ['an unknown id', { mine: causeFile('mine', 'explains: [nobody]\n') }, 'mine.yaml:9: unknown id "nobody"'],
  [
    'a circle with built-in causes',
    { other: causeFile('other', `explains: [base]\n${LINE}`) },
    'other.yaml:9: explains itself: base → other → base',
  ],
  [
    'a replacement without a signature that others need',
    { other: causeFile('other') },
    'other.yaml:1: "leaning" needs the signature "other/one"',
  ],
  [
    'switching off what is not there',
    { mine: 'id: mine\ndisabled: true\n' },
    'mine.yaml:1: there is no cause "mine" to disable',
  ],
  ['disabled with more in it', { base: `${causeFile('base')}disabled: true\n` }, 'base.yaml:2: unknown key title'],
];

for (const [name, files, complaint] of REFUSED)
  test(`refused, and nothing changed: ${name}`, () => {
    const { pack, refused } = apply(files);
    assert.ok(refused[0]?.message.startsWith(complaint), refused[0]?.message);
    assert.deepEqual(pack, BUILT_IN);
  });

test('one bad file does not hide the others, nor those that rest on it', () => {
  const files = { bad: 'id: [', good: causeFile('good', LINE), leaning2: causeFile('leaning2', 'explains: [bad]\n') };
  assert.deepEqual(apply(files).pack.added, ['good']);
  assert.equal(complaints(files).length, 2);
});

test('all faults of a file are told at once, in order', () => {
  const schema = { mine: causeFile('mine', 'colour: red\n').replace('title: A cause', 'title: 7') };
  assert.deepEqual(
    complaints(schema).map((complaint) => complaint.split(':').slice(0, 2).join(':')),
    ['mine.yaml:2', 'mine.yaml:9'],
  );
  const named = { mine: causeFile('mine', 'explains: [nobody, noone]\nrecoveredBy: [nothing]\n') };
  assert.deepEqual(complaints(named).length, 3);
});
