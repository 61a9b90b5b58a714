// A node that never registers is delivered under its cluster's name, of whatever OS family it is and however little came through.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLogGroup } from '../../src/sinks/cloudwatch/names.ts';
import type { System } from '../../src/host/system.ts';
import { fakeNetwork, metadataAnswers, networkFailure } from '../probes/fake-network.ts';
import { fakeSystem } from '../probes/fakes.ts';
import { fakeShipper } from '../sinks/fakes.ts';
import { type NodeScript, scriptedNode } from './scripted-node.ts';

const ASKED = 'cluster-configured,identity-told,instance-metadata-reachable';
const WATCH = ['watch', '--format', 'json', '--probe', ASKED];
const SWAP =
  'E0506 08:00:20.123456    2711 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"';
const USER_DATA = '/var/lib/cloud/instance/user-data.txt';
const FLAGS = '--node-labels=karpenter.sh/nodepool=general,karpenter.sh/capacity-type=spot';
const NODE_CONFIG = `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: application/node.eks.aws\n\nkind: NodeConfig\napiVersion: node.eks.aws/v1alpha1\nspec:\n  cluster:\n    name: shop\n  kubelet:\n    flags: ["${FLAGS}"]\n--B--\n`;
const SETTINGS =
  '[settings.kubernetes]\ncluster-name = "shop"\n[settings.kubernetes.node-labels]\n"karpenter.sh/nodepool" = "general"\n"karpenter.sh/capacity-type" = "spot"\n';
const SILENT = fakeNetwork({ request: () => networkFailure('connect-timeout') });

function filesOf(files: Readonly<Record<string, string>>): Partial<System> {
  const system = fakeSystem({ files });
  return { readSmall: (path) => system.readSmall(path), listFolder: (path) => system.listFolder(path) };
}

const FAMILIES: readonly (readonly [string, NodeScript])[] = [
  [
    'AL2023 with user data alone, its metadata service silent',
    { system: filesOf({ [USER_DATA]: NODE_CONFIG }), network: SILENT },
  ],
  [
    'AL2 with user data alone, its metadata service silent',
    {
      system: filesOf({ [USER_DATA]: `#!/bin/sh\n/etc/eks/bootstrap.sh shop --kubelet-extra-args '${FLAGS}'\n` }),
      network: SILENT,
    },
  ],
  [
    'Bottlerocket, which has user data from the metadata service alone',
    {
      network: fakeNetwork({
        request: metadataAnswers({
          'dynamic/instance-identity/document': '{"instanceId":"i-0a1b2c3d4e5f60718"}',
          'user-data': SETTINGS,
        }),
      }),
    },
  ],
];

for (const [title, script] of FAMILIES)
  test(`${title}: group, pool and capacity type are known before anything registers`, async (t) => {
    const node = scriptedNode(t, { ...script, shipper: fakeShipper() });
    const run = node.start(...WATCH);
    node.kubelet(SWAP);
    const said = await node.said(run, 1);
    run.process.send('SIGTERM');
    await run.ended;
    assert.deepEqual(
      [said.cause?.id, said.node.cluster, said.node.nodePool, said.node.capacityType],
      ['swap-enabled', 'shop', 'general', 'spot'],
    );
    assert.deepEqual(
      [...new Set(node.opened.map(({ cluster }) => defaultLogGroup(cluster)))],
      ['/eks/bootstrap-analyzer/shop'],
    );
    const told = said.probes.find(({ probe }) => probe === 'cluster-configured');
    assert.equal(told?.code, script.system === undefined ? 'not-configured' : 'not-written');
  });

test('a cluster that user data names is not said to be named by no file', async (t) => {
  const node = scriptedNode(t, { system: filesOf({ [USER_DATA]: NODE_CONFIG }), network: SILENT });
  const run = node.start('watch', '--probe', ASKED);
  node.kubelet(SWAP);
  while (!run.process.out().includes('FAILED')) await new Promise((resolve) => setTimeout(resolve, 5));
  run.process.send('SIGTERM');
  await run.ended;
  assert.match(run.process.out(), /cluster shop, node pool general, spot/);
  assert.doesNotMatch(run.process.out(), /No file of this node says/);
});
