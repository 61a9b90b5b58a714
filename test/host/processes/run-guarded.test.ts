import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runGuarded } from '../../../src/host/processes/run-guarded.ts';

test('work that ends, also after work that was cut off', () => {
  let found: RegExpExecArray | null = null;
  const evil = /^(?:a|a)*b/;
  assert.equal(
    runGuarded(() => void evil.exec('a'.repeat(60)), 20),
    false,
  );
  assert.equal(
    runGuarded(() => void (found = /(?<word>\w+)/.exec('one two')), 5_000),
    true,
  );
  assert.equal(found!['groups']!['word'], 'one');
});

test('an error of the work is its own', () => {
  assert.throws(() => runGuarded(() => assert.fail('broken'), 5_000), /broken/);
});
