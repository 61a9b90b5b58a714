import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSteps } from '../../src/signatures/count-steps.ts';
import { parseRegex } from '../../src/signatures/regex-syntax.ts';
import { createRandom, type Random } from '../matching/random.ts';
import { stepsOf } from './backtracking.ts';

const CHARS = 48;
const CASES = 400;
const TEXTS = 6;
/** The witness also counts the characters of optional text, of which there are a few at each place. */
const SLACK = 4;
const WITNESS_STEPS_MAX = 4000;

function bound(regex: string): number {
  return countSteps(regex, parseRegex(regex), { ignoreCase: false, chars: CHARS }).steps;
}

function expression(random: Random, depth: number): string {
  const atom = (): string => {
    const kind = random.int(depth > 0 ? 5 : 3);
    if (kind < 2) return random.pick(['a', 'b', 'c']);
    return kind === 2 ? random.pick(['.', '[ab]', '[bc]', '[^a]', '[^b]']) : `(?:${expression(random, depth - 1)})`;
  };
  const item = (): string => atom() + random.pick(['', '', '', '*', '+', '?', '{0,3}', '{1,4}', '{2}', '{0,9}', '{1,12}']);
  const sequence = (): string => Array.from({ length: 1 + random.int(4) }, item).join('');
  return Array.from({ length: 1 + random.int(2) }, sequence).join('|');
}

function text(random: Random): string {
  const unit = (): string => Array.from({ length: 1 + random.int(5) }, () => random.pick(['a', 'b', 'c'])).join('');
  return (unit().repeat(CHARS).slice(0, random.int(CHARS)) + unit().repeat(CHARS)).slice(0, CHARS);
}

test('no text drives a backtracking engine beyond the bound', () => {
  const random = createRandom(7);
  for (let index = 0; index < CASES; index++) {
    const regex = random.pick(['', '^']) + `(?:${expression(random, 2)})` + random.pick(['d', '$', 'cd', '']);
    const most = bound(regex);
    if (most === Infinity) continue;
    for (let round = 0; round < TEXTS; round++) {
      const line = text(random);
      const steps = stepsOf(regex, line, WITNESS_STEPS_MAX);
      assert.ok(steps <= SLACK * most, `${regex} takes ${steps} steps on ${line}, not at most ${most}`);
    }
  }
});

test('an unanchored start, nested and adjacent repeats count', () => {
  assert.ok(bound('^.*x') < 2 * CHARS + CHARS);
  assert.ok(bound('.*x') > (CHARS * CHARS) / 2);
  assert.ok(bound('^a*a*a*x') > CHARS ** 3 / 6);
  assert.ok(bound('^a*ba*ba*x') < 10 * CHARS);
  for (const regex of ['(?:a+)+b', '(?:a|a)*b', '(?:a|ab|b)*c', '(?:a*b?)*c']) assert.equal(bound(regex), Infinity, regex);
  for (const regex of ['(?:a+b)+c', '(?:a|b)*c', '(?:[^,]+,)*x', '^(?:a|a)*']) assert.ok(bound(regex) < 10 * CHARS * CHARS, regex);
});
