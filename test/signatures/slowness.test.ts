import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Expression, LIMIT_MS, MESSAGE_MAX_CHARS, slownessFault, worstOf } from '../../src/signatures/slowness.ts';

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

test('what takes longer only because others have the cores is quick', () => {
  /** Each run takes a core for 3 ms, and is kept waiting for 9 ms. */
  const wait = new Int32Array(new SharedArrayBuffer(4));
  const held = (): void => {
    for (const end = performance.now() + 3; performance.now() < end;);
    Atomics.wait(wait, 0, 0, 9);
  };
  const { ms } = worstOf(held, [() => 'x'], MESSAGE_MAX_CHARS);
  assert.ok(ms < LIMIT_MS, `${ms} ms`);
});

test('what takes the core itself for longer is slow, whatever it waits for', () => {
  const busy = (): void => {
    const { user, system } = process.threadCpuUsage();
    for (let ms = 0; ms < 12;) {
      const now = process.threadCpuUsage();
      ms = (now.user + now.system - user - system) / 1_000;
    }
  };
  const { ms } = worstOf(busy, [() => 'x'], MESSAGE_MAX_CHARS);
  assert.ok(ms > LIMIT_MS, `${ms} ms`);
});

test('case folding counts', () => {
  assert.equal(slownessFault(expression('^x(?:a|A)*b')), null);
  assert.match(slownessFault(expression('^x(?:a|A)*b', 'si')) ?? 'found quick', /for more than 2 s/);
});
