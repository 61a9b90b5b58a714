import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdentifierMask } from '../../src/redaction/identifiers.ts';
import { redactVerdict } from '../../src/redaction/redact.ts';
import { FAILED } from '../render/verdicts.ts';

const CASES: readonly (readonly [string, string])[] = [
  ['arn:aws:iam::111122223333:role/node-role', 'arn:aws:iam::[redacted:account-1]:role/node-role'],
  [
    '602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5',
    '[redacted:account-1].dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5',
  ],
  ['dial tcp 10.0.1.17:443: i/o timeout', 'dial tcp [redacted:ip-1]:443: i/o timeout'],
  [
    'ip-10-0-1-17.us-west-2.compute.internal is 10.0.1.17, not 10.0.1.18',
    '[redacted:ip-1].us-west-2.compute.internal is [redacted:ip-1], not [redacted:ip-2]',
  ],
  ['pool 10.0.0.0/16 via 10.0.0.1.', 'pool [redacted:ip-1]/16 via [redacted:ip-2].'],
  ['[2600:1F14::a]:443 and 2600:1f14::A', '[[redacted:ip-1]]:443 and [redacted:ip-1]'],
  ['2600:1f14:e22:cf00:1:2:3:4 fe80::1%eth0', '[redacted:ip-1] [redacted:ip-2]%eth0'],
];

for (const [text, expected] of CASES)
  test(`masked: ${text}`, () => assert.equal(createIdentifierMask()(text), expected));

const STAYS = [
  '127.0.0.1:6443 169.254.169.254 169.254.170.23 0.0.0.0 255.255.255.0 ::1 fd00:ec2::254',
  'at 10:44:52 kubelet v1.29.15 i-0a1b2c3d4e5f60718 12345678-1234-1234-1234-123456789012 1234567890123 0.123456789012',
  'arn:aws:s3:::bucket std::face 1.2.3 containerd 1.7.27-0ubuntu1',
];

for (const text of STAYS) test(`stays: ${text}`, () => assert.equal(createIdentifierMask()(text), text));

test('only where it is asked for, and the same name everywhere in the verdict', () => {
  const line = 'node 111122223333 at 10.1.2.3';
  const step = { text: line, command: `aws x ${line}`, where: 'node' as const };
  const verdict = {
    ...FAILED,
    cause: { ...FAILED.cause!, summary: line, remedy: [step] },
    node: { ...FAILED.node, account: '111122223333' },
  };
  assert.equal(redactVerdict(verdict).cause!.summary, line);
  const masked = redactVerdict(verdict, { identifiers: true });
  const expected = `node ${masked.node.account} at [redacted:ip-1]`;
  assert.deepEqual(
    [masked.cause!.summary, ...masked.cause!.remedy.map(({ command }) => command)],
    [expected, `aws x ${expected}`],
  );
  assert.match(masked.node.account!, /^\[redacted:account-\d\]$/);
  assert.deepEqual([masked.id, masked.node.instanceId, masked.tool], [FAILED.id, FAILED.node.instanceId, FAILED.tool]);
});
