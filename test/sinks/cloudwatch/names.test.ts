import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLogGroup, logStreamOf } from '../../../src/sinks/cloudwatch/names.ts';

test('the group has the name of the cluster, the stream that of the instance', () => {
  assert.equal(defaultLogGroup('prod-blue_1'), '/eks/bootstrap-analyzer/prod-blue_1');
  assert.equal(logStreamOf('i-0123456789abcdef0'), 'i-0123456789abcdef0');
});

test('what is not known is called so', () => {
  assert.equal(defaultLogGroup(null), '/eks/bootstrap-analyzer/unknown');
  assert.equal(defaultLogGroup(''), '/eks/bootstrap-analyzer/unknown');
  assert.equal(logStreamOf(null), 'unknown');
});

test('a hostile name stays below its folder, in characters that CloudWatch takes', () => {
  for (const name of ['../../other', 'a:*b', 'x\n\u001b[31m', '\u{1f600}', 'y'.repeat(2000)]) {
    assert.match(defaultLogGroup(name), /^\/eks\/bootstrap-analyzer\/[A-Za-z0-9_.-]{1,100}$/);
    assert.match(logStreamOf(name), /^[A-Za-z0-9_.-]{1,512}$/);
  }
});
