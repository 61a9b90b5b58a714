import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factFilesOf, streamOfPath } from '../../src/sources/stream-of-path.ts';
import { TABLE } from './support.ts';

for (const [path, stream, known] of [
  ['/kubelet/kubelet.log', 'kubelet', true],
  ['kubelet.log', 'kubelet', true],
  ['/var_log/aws-routed-eni/ipamd-2025-04-01T00-00-00.000.log.gz', 'ipamd', true],
  ['/var/log/aws-routed-eni/plugin.log.1', 'cni-plugin', true],
  ['/var/log/cloud-init-output.log', 'cloud-init-output', true],
  ['/var/log/cloud-init.log-20240101.gz', 'cloud-init', true],
  ['/var/log/pods/kube-system_aws-node-abc_uid/aws-node/0.log', 'aws-node', true],
  ['/var/log/messages-20240101', null, true],
  ['/bundle/journal.ndjson', null, true],
  ['/system/instance-id.txt', null, true],
  ['/paste.txt', null, false],
] as const)
  test(`${path} is ${stream ?? (known ? 'mixed' : 'unknown')}`, () => {
    assert.deepEqual(streamOfPath(TABLE, path), { stream, known, ignored: false });
  });

test('what holds nothing to read is ignored', () => {
  assert.equal(streamOfPath(TABLE, '/x/trace.pcap').ignored, true);
});

test('the small files that hold a fact are found by their path', () => {
  assert.deepEqual(
    factFilesOf(TABLE, '/any/system/instance-id.txt').map(({ fact }) => fact),
    ['instance_id'],
  );
  assert.deepEqual(factFilesOf(TABLE, '/instance-id.txt'), []);
});
