// The conditions on the facts of an answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passes } from '../../src/diagnosis/answers.ts';
import type { FactTest } from '../../src/types.ts';

type Case = readonly [FactTest, string | number | boolean | undefined, boolean];

const CASES: readonly Case[] = [
  [{ fact: 'path', test: 'equals', value: '/var' }, '/var', true],
  [{ fact: 'path', test: 'equals', value: '/var' }, '/var/lib', false],
  [{ fact: 'restarts', test: 'equals', value: 3 }, 3, true],
  [{ fact: 'restarts', test: 'equals', value: 3 }, '3', false],
  [{ fact: 'token_required', test: 'equals', value: true }, true, true],
  [{ fact: 'path', test: 'in', value: ['/', '/var'] }, '/', true],
  [{ fact: 'path', test: 'in', value: ['/', '/var'] }, '/tmp', false],
  [{ fact: 'process', test: 'matches', value: 'ecr get-login' }, 'aws ecr get-login-password', true],
  [{ fact: 'process', test: 'matches', value: '^ecr' }, 'aws ecr', false],
  [{ fact: 'process', test: 'matches', value: 'end$' }, `${'x'.repeat(2_000)}end`, false],
  [{ fact: 'restarts', test: 'matches', value: '^3$' }, 3, true],
  [{ fact: 'offset_seconds', test: 'atLeast', value: 300 }, 300, true],
  [{ fact: 'offset_seconds', test: 'atLeast', value: 300 }, 299.9, false],
  [{ fact: 'offset_seconds', test: 'atMost', value: -300 }, -300, true],
  [{ fact: 'offset_seconds', test: 'atMost', value: -300 }, 0, false],
  [{ fact: 'offset_seconds', test: 'atLeast', value: 300 }, '900', false],
  [{ fact: 'offset_seconds', test: 'atLeast', value: 300 }, Number.NaN, false],
  [{ fact: 'path', test: 'equals', value: '/var' }, undefined, false],
  [{ fact: 'path', test: 'matches', value: '.*' }, undefined, false],
];

for (const [condition, fact, passed] of CASES)
  test(`${JSON.stringify(fact)?.slice(0, 40)} ${condition.test} ${JSON.stringify(condition.value)}: ${passed}`, () => {
    assert.equal(passes(condition, fact), passed);
  });
