// An instance that nobody meant to join: `watch` says so once and ships nothing. Whatever hints at a node keeps it a node's boot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bystanderVerdict } from '../../../src/commands/live/bystander.ts';
import type { Machine } from '../../../src/commands/command-context.ts';
import { readBuiltInPack } from '../../../src/signatures/built-in-pack.ts';
import type { Verdict } from '../../../src/types.ts';
import { type Answer, fakeNetwork, metadataAnswers, networkFailure } from '../../probes/fake-network.ts';
import { fakeSystem } from '../../probes/fakes.ts';
import { FAILED } from '../../render/verdicts.ts';
import { fakeShipper } from '../../sinks/fakes.ts';
import { scriptedNode } from '../scripted-node.ts';

const OFF = new Map([
  ['ActiveState', 'inactive'],
  ['UnitFileState', 'disabled'],
]);
const ENDED = '/run/cloud-init/result.json';

interface Case {
  readonly userData?: Answer;
  readonly kubelet?: ReadonlyMap<string, string>;
  readonly files?: Readonly<Record<string, string>>;
}

function parts({ userData, kubelet = OFF, files = { [ENDED]: '{}' } }: Case): Pick<Machine, 'system' | 'network'> {
  const items = {
    'meta-data/instance-id': 'i-0a1b2c3d4e5f60718',
    ...(userData === undefined ? {} : { 'user-data': userData }),
  };
  return {
    system: fakeSystem({ files: { '/run/systemd/system/x': '', ...files }, system: { units: async () => [kubelet] } }),
    network: fakeNetwork({ request: metadataAnswers(items) }),
  };
}

const NODE = { ...FAILED.node, cluster: null, nodePool: null, endpointHost: null };
const QUIET: Verdict = { ...FAILED, status: 'unknown', cause: null, timeline: [], node: NODE };
const withCause = (id: string): Verdict => ({ ...QUIET, status: 'failed', cause: { ...FAILED.cause!, id } });

async function saysSo(verdict: Verdict, given: Case): Promise<boolean> {
  const machine = parts(given) as Machine;
  const said = await bystanderVerdict(verdict, readBuiltInPack(), machine, new AbortController().signal);
  if (said !== null)
    assert.deepEqual([said.status, said.cause, said.notChecked[0]?.code], ['unknown', null, 'not-meant-to-join']);
  return said !== null;
}

test('no user data, the kubelet off, and nothing but what follows from that', async () => {
  assert.equal(await saysSo(QUIET, {}), true);
  assert.equal(await saysSo(withCause('nodeconfig-missing'), {}), true);
  assert.equal(await saysSo(withCause('bootstrap-not-run'), { userData: '#!/bin/sh\nyum install -y git\n' }), true);
});

for (const [title, verdict, given] of [
  ['another cause', withCause('disk-full'), {}],
  ['a cluster in its configuration', { ...QUIET, node: { ...NODE, cluster: 'prod' } }, {}],
  ['a node pool in its tags', { ...QUIET, node: { ...NODE, nodePool: 'blue' } }, {}],
  ['a step without an end', { ...QUIET, timeline: [{ ...FAILED.timeline[0]!, state: 'running' }] }, {}],
  ['a NodeConfig', QUIET, { userData: 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n' }],
  ['a call of bootstrap.sh', QUIET, { userData: '#!/bin/bash\n/etc/eks/bootstrap.sh prod\n' }],
  ['packed user data', QUIET, { userData: '\u001f\ufffd\b\u0000' }],
  [
    'encoded user data',
    QUIET,
    { userData: Buffer.from('#!/bin/bash\n/etc/eks/bootstrap.sh production\n#####').toString('base64') },
  ],
  [
    'a kubelet that is enabled',
    QUIET,
    {
      kubelet: new Map([
        ['ActiveState', 'inactive'],
        ['UnitFileState', 'enabled'],
      ]),
    },
  ],
  [
    'a kubelet that runs',
    QUIET,
    {
      kubelet: new Map([
        ['ActiveState', 'active'],
        ['UnitFileState', 'disabled'],
      ]),
    },
  ],
  ['a systemd that does not answer', QUIET, { kubelet: new Map() }],
  ['user data that still runs', QUIET, { files: {} }],
  ['user data that cannot be read', QUIET, { userData: 500 }],
  ['a metadata service that is silent', QUIET, { userData: networkFailure('connect-timeout') }],
  ['a node that is Ready', { ...QUIET, status: 'ready' }, {}],
] as const satisfies readonly (readonly [string, Verdict, Case])[])
  test(`not with ${title}`, async () => {
    assert.equal(await saysSo(verdict, given), false);
  });

test('watch ends with one word at three minutes, ships nothing and exits with 0', async (t) => {
  const shipper = fakeShipper();
  const { system, network } = parts({});
  const node = scriptedNode(t, { speed: 50, startSeconds: 170, shipper, system, network });
  const run = node.start('watch', '--format', 'json');
  assert.equal(await run.ended, 0, run.process.err());
  const said = node.verdicts(run);
  assert.deepEqual(
    said.map(({ status, cause, final, notChecked }) => [status, cause, final, notChecked[0]?.code]),
    [['unknown', null, true, 'not-meant-to-join']],
  );
  assert.ok(said[0]!.uptimeSeconds! < 600, String(said[0]!.uptimeSeconds));
  assert.deepEqual([shipper.accepted, node.opened], [[], []]);
});

test('watch says it in words', async (t) => {
  const { system, network } = parts({});
  const node = scriptedNode(t, { speed: 100, startSeconds: 175, system, network });
  const run = node.start('watch', '--no-color');
  await run.ended;
  assert.match(run.process.out(), /^(?:eks-bootstrap-analyzer: )?UNKNOWN/m);
  assert.match(run.process.out(), /There is no sign that this instance should join a cluster/);
});
