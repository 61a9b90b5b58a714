import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternatives, parseRegex, RegexFormError } from '../../src/signatures/regex-syntax.ts';

const REFUSED: readonly (readonly [regex: string, why: RegExp])[] = [
  ['a(?=b)', /lookaround is not allowed at character 2/],
  ['a(?!b)', /lookaround/],
  ['(?<=a)b', /lookaround/],
  ['(?<!a)b', /lookaround/],
  ['(?:a(?=b))', /lookaround is not allowed at character 5/],
  ['(a)', /must be named or non-capturing/],
  ['(?<n>a)\\k<n>', /back-reference/],
  ['(?:a)\\1', /back-reference/],
  ['(?i:a)', /this kind of group/],
  ['(?<1a>b)', /this kind of group/],
  ['\\x41', /escape \\x/],
  ['\\u0041', /escape \\u/],
  ['\\p{L}', /escape \\p/],
  ['a\\', /lone backslash/],
  ['[abc', /class is not closed/],
  ['(?:a', /group is not closed/],
  ['a)', /unexpected \)/],
  ['*a', /quantifier with nothing before it/],
  ['a|+', /quantifier with nothing before it/],
  ['^*', /quantifier on an anchor/],
  ['\\b+', /quantifier on an anchor/],
  ['[z-a]', /Range out of order/],
  ['(?<n>a)(?<n>b)', /Duplicate capture group name/],
];

for (const [regex, why] of REFUSED)
  test(`refuses ${regex}`, () => {
    assert.throws(
      () => parseRegex(regex),
      (error) => error instanceof RegexFormError && why.test(error.message),
    );
  });

const ALLOWED = [
  '',
  'a|b',
  '^a$',
  '(?<x>\\d{1,3})?',
  '[^\\]"]+',
  'a{2}',
  'a{2,}',
  'a+?b*?',
  '\\.\\[\\(\\|',
  '(?:|a)',
  'a{',
  'x]',
  '‘’ü',
  '\\bword\\B',
];

for (const regex of ALLOWED)
  test(`reads ${regex === '' ? 'an empty expression' : regex}`, () => {
    const tree = parseRegex(regex);
    assert.equal(tree.start, 0);
    assert.equal(tree.end, regex.length);
  });

function optionsOf(regex: string): string[] {
  return alternatives(parseRegex(regex)).map(({ option }) => regex.slice(option.start, option.end));
}

test('names every alternative by its place in the source', () => {
  assert.deepEqual(optionsOf('abc'), []);
  assert.deepEqual(optionsOf('one|two'), ['one', 'two']);
  assert.deepEqual(optionsOf('a(?:b|(?<x>c|d)+)?e'), ['b', '(?<x>c|d)+', 'c', 'd']);
  assert.deepEqual(optionsOf('(?:no|)thing'), ['no', '']);
  assert.deepEqual(optionsOf('[a|b]\\|(?:x\\||y)'), ['x\\|', 'y']);
});
