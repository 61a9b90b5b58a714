import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Expression, MESSAGE_MAX_CHARS, slownessFault } from '../../src/signatures/slowness.ts';

function expression(regex: string, flags = 's'): Expression {
  return { regex, flags, maxChars: MESSAGE_MAX_CHARS, examples: [] };
}

const QUICK = [
  'failed to pull image "(?<image>[^"]{1,200})": not found',
  '^\\S+ connection to .* refused',
  'a: (?:[\\w-]{1,60}, ){0,9}end',
  '^.{0,1000}?fleet error.{0,600}InsufficientFreeAddressesInSubnet',
];
/** The last three were taken for quick by a count of steps. */
const SLOW: readonly (readonly [string, RegExp])[] = [
  ['.*refused', /keeps it busy for \d+ ms; begin with \^/],
  ['no such host.*retrying', /such as "no such host.*no such host.*keeps it busy for \d+ ms/],
  ['trying next host.*refused.* host=', /keeps it busy/],
  ['evil text (?:a|a)*b', /"evil text aaaa.*keeps it busy for more than 2 s/],
  ['evil text (?:a+)+b', /for more than 2 s/],
  [`x${'(?:a|a)'.repeat(30)}b`, /for more than 2 s/],
  ['^(?:\\w+\\s?)*$', /for more than 2 s/],
  ['(?:(?<path>/[^\\s:\'"]{1,300}): )?no space left on device', /"\/\/\/\/.*keeps it busy for \d+ ms/],
  ['(?:fleet error|CreateFleet|RunInstances).*InsufficientFreeAddressesInSubnet', /keeps it busy for \d+ ms/],
  ['(?<path>/\\S{1,200}): cannot execute binary file', /keeps it busy for \d+ ms/],
];

for (const regex of QUICK) test(`quick: ${regex}`, () => assert.equal(slownessFault(expression(regex)), null));
for (const [regex, why] of SLOW)
  test(`refused: ${regex}`, () => assert.match(slownessFault(expression(regex)) ?? 'found quick', why));

test('case folding counts', () => {
  assert.equal(slownessFault(expression('^x(?:a|A)*b')), null);
  assert.match(slownessFault(expression('^x(?:a|A)*b', 'si')) ?? 'found quick', /for more than 2 s/);
});
