import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoWrapping } from '../../src/sources/capture/wrapping/undo-wrapping.ts';
import { packOf, pattern, read } from './tiny-pack.ts';

const MESSAGE = 'Failed to create pod sandbox: rpc error: code = Unknown desc = no such pause image';
const sandbox = pattern('sandbox', 'no such pause image$', { streams: ['kubelet'] });

test('rows of event tables are events, with how often they happened', () => {
  const rows: readonly (readonly [string, number])[] = [
    [`  Warning  FailedCreatePodSandBox  3m (x210 over 48m)  kubelet            ${MESSAGE}`, 210],
    [`Warning  FailedCreatePodSandBox  12s  kubelet, ip-10-1-2-3.ec2.internal  ${MESSAGE}`, 1],
    [`9s          Warning   FailedCreatePodSandBox   pod/kube-proxy-c6t8z   ${MESSAGE}`, 1],
    [`kube-system   2m19s       Warning   FailedCreatePodSandBox         pod/aws-node-b7k2x     ${MESSAGE}`, 1],
    [`5m (x4 over 9m)   Warning   FailedCreatePodSandBox   Pod/a   ${MESSAGE}`, 4],
  ];
  for (const [row, count] of rows) {
    const match = read(packOf(sandbox), { text: `${row}\n` }).matches.get('sandbox');
    assert.equal(match?.count, count, row);
    assert.equal(match.first.message, `FailedCreatePodSandBox: ${MESSAGE}`);
    assert.deepEqual([match.first.stream, match.first.component, match.first.level], ['events', 'kubelet', 'warn']);
  }
});

test('an event of another component is not the kubelet’s', () => {
  const row = `  Warning  FailedScheduling  3m  default-scheduler  ${MESSAGE}\n`;
  assert.equal(read(packOf(sandbox), { text: row }).matches.size, 0);
  assert.equal(read(packOf({ ...sandbox, streams: ['events'] }), { text: row }).matches.size, 1);
});

test('events in JSON say the same, with their time', () => {
  const event = {
    kind: 'Event',
    type: 'Warning',
    reason: 'FailedCreatePodSandBox',
    message: MESSAGE,
    count: 7,
    lastTimestamp: '2025-05-06T08:18:54Z',
    source: { component: 'kubelet' },
    involvedObject: { kind: 'Pod', name: 'a' },
  };
  const text = undoWrapping(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [event] }, null, 2))!;
  const match = read(packOf(sandbox), { text }).matches.get('sandbox')!;
  assert.equal(match.count, 7);
  assert.equal(match.first.time.wallMs, Date.parse('2025-05-06T08:18:54Z'));
});

test('a klog or logfmt body is known without its header, and its quotes are undone', () => {
  const failed = pattern('failed', '^Failed to start ContainerManager err=\\[invalid "x"\\]$');
  for (const head of ['', 'kubelet: ', 'kubelet[1]: ', 'kubelet.go:1466] ', '4011 kubelet.go:1466] '])
    assert.equal(
      read(packOf(failed), { text: `${head}"Failed to start ContainerManager" err="[invalid \\"x\\"]"\n` }).matches
        .size,
      1,
      head,
    );
  const pull = pattern('pull', '^PullImage "a" failed error=not found$');
  assert.equal(
    read(packOf(pull), { text: 'level=error msg="PullImage \\"a\\" failed" error="not found"\n' }).matches.size,
    1,
  );
});
