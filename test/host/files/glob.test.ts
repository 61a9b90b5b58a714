import assert from 'node:assert/strict';
import { test } from 'node:test';
import { globExpression } from '../../../src/host/files/glob.ts';

test('a star stays within a name, two stars match any depth, none included', () => {
  assert.match('/var/log/kubelet.log', globExpression('**/kubelet*.log'));
  assert.match('kubelet-1.log', globExpression('**/kubelet*.log'));
  assert.doesNotMatch('/var/kubelet/x.log', globExpression('**/kubelet*.log'));
  assert.match('/a/x_aws-node-y/c/0.log', globExpression('**/*_aws-node-*/**/*.log'));
  assert.match('/x_aws-node-y/0.log', globExpression('**/*_aws-node-*/**/*.log'));
  assert.doesNotMatch('/var/log/messages', globExpression('/var/*'));
});

test('everything else is taken literally', () => {
  assert.match('/a+b(1).[x]', globExpression('/a+b(1).[x]'));
  assert.doesNotMatch('/axlog', globExpression('/a.log'));
});
