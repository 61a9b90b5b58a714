import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slownessOf } from '../../src/signatures/slowness.ts';
import { allExpressions } from '../patterns/all-expressions.ts';

const QUICK = [
  'failed to pull image "(?<image>[^"]{1,200})": not found',
  '^\\S+ connection to .* refused',
  'no such host.*retrying',
  'a: (?:[\\w-]{1,60}, ){0,9}end',
];
const SLOW: readonly (readonly [string, RegExp])[] = [
  ['.*refused', /about 135 million steps, most of them in \.\* at character 1; begin with \^/],
  ['trying next host.*refused.* host=', /million steps, most of them in \.\* at character 26/],
  ['evil text (?:a|a)*b', /can make it hang: a\|a at character \d+ can divide/],
  ['evil text (?:a+)+b', /can make it hang: a\+ at character \d+ can divide/],
  [`x${'(?:a|a)'.repeat(30)}b`, /million steps, most of them in a\|a/],
  ['^(?:\\w+\\s?)*$', /can make it hang: /],
];

for (const regex of QUICK) test(`proven quick: ${regex}`, () => assert.equal(slownessOf(regex, false), null));
for (const [regex, why] of SLOW) test(`refused: ${regex}`, () => assert.match(slownessOf(regex, false) ?? 'proven quick', why));

test('case folding makes sets meet', () => {
  assert.equal(slownessOf('^x(?:a|A)*b', false), null);
  assert.notEqual(slownessOf('^x(?:a|A)*b', true), null);
});

test('every expression of the pack is proven quick', () => {
  const slow = allExpressions().flatMap(({ name, expression: { regex, flags, maxChars } }) => {
    const why = slownessOf(regex, flags.includes('i'), maxChars);
    return why === null ? [] : [`${name}: ${why}: ${regex}`];
  });
  assert.ok(slow.length === 0, slow.join('\n'));
});
