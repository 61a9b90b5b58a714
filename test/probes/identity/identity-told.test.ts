import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostError } from '../../../src/host/host.ts';
import { identityTold } from '../../../src/probes/identity/identity-told.ts';
import { SOURCES } from '../../../src/probes/identity/sources.ts';
import { ask, testCases } from '../fakes.ts';

const KUBECONFIG = '/var/lib/kubelet/kubeconfig';
const NODEADM = '/run/eks/nodeadm/config.json';
const ENVIRONMENT = '/etc/eks/kubelet/environment';
const DROP_IN = '/etc/systemd/system/kubelet.service.d/30-kubelet-extra-args.conf';
const BOTTLEROCKET = '/var/lib/bottlerocket/datastore/current/live/settings/kubernetes';
const USER_DATA = '/var/lib/cloud/instance/user-data.txt';

const kubeconfig = (cluster: string): string =>
  `clusters:\n- cluster:\n    server: https://x.gr7.eu-west-1.eks.amazonaws.com\nusers:\n- user:\n    exec:\n      args: [eks, get-token, --cluster-name, ${cluster}]\n`;
const nodeConfig = (cluster: string): string =>
  `kind: NodeConfig\napiVersion: node.eks.aws/v1alpha1\nspec:\n  cluster:\n    name: ${cluster}\n`;
const labels = (pool: string): string =>
  `--v=2 --node-labels=karpenter.sh/nodepool=${pool},karpenter.sh/capacity-type=spot`;
const told = (facts: Readonly<Record<string, string>>) => [{ outcome: 'ok' as const, code: 'ok', facts }];

testCases(identityTold, [
  {
    title: 'AL2023 that Karpenter made, whose kubelet runs',
    files: {
      [KUBECONFIG]: kubeconfig('shop'),
      [ENVIRONMENT]: `NODEADM_KUBELET_ARGS="${labels('general')}"`,
      [USER_DATA]: nodeConfig('other'),
    },
    gives: told({ cluster: 'shop', told_in: KUBECONFIG, node_pool: 'general', capacity_type: 'spot' }),
  },
  {
    title: 'AL2023 between nodeadm-config and the kubelet',
    files: {
      [NODEADM]: JSON.stringify({ spec: { cluster: { name: 'shop' }, kubelet: { flags: [labels('general')] } } }),
      [USER_DATA]: nodeConfig('other'),
    },
    gives: told({ cluster: 'shop', told_in: NODEADM, node_pool: 'general', capacity_type: 'spot' }),
  },
  {
    title: 'AL2023 whose nodeadm never came through, with a NodeConfig beside user data',
    files: {
      '/etc/eks/nodeadm.d/10.yaml': nodeConfig('baked'),
      [USER_DATA]: `${nodeConfig('sent')}  kubelet:\n    flags: ["${labels('general')}"]\n`,
    },
    gives: told({
      cluster: 'baked',
      told_as: 'NodeConfig',
      told_in: '/etc/eks/nodeadm.d/10.yaml',
      node_pool: 'general',
      capacity_type: 'spot',
    }),
  },
  {
    title: "AL2 with the image's template: bootstrap.sh in user data",
    files: {
      [KUBECONFIG]: kubeconfig('CLUSTER_NAME'),
      [USER_DATA]:
        "#!/bin/sh\n/etc/eks/bootstrap.sh 'shop' --kubelet-extra-args '--node-labels=eks.amazonaws.com/nodegroup=workers'\n",
    },
    gives: told({ cluster: 'shop', told_as: 'bootstrap.sh', told_in: USER_DATA, node_pool: 'workers' }),
  },
  {
    title: "AL2 that is bootstrapped: the kubelet's drop-in, but not its comments",
    files: {
      [KUBECONFIG]: kubeconfig('shop'),
      [DROP_IN]: `# ${labels('old')}\n[Service]\nEnvironment='KUBELET_EXTRA_ARGS=--node-labels=eks.amazonaws.com/nodegroup=workers,eks.amazonaws.com/capacityType=ON_DEMAND'\n`,
    },
    gives: told({ cluster: 'shop', told_in: KUBECONFIG, node_pool: 'workers', capacity_type: 'on-demand' }),
  },
  {
    title: 'AL2 of eksctl',
    files: {
      '/etc/eksctl/kubelet.env':
        'NODE_LABELS=alpha.eksctl.io/nodegroup-name=ng-1,alpha.eksctl.io/cluster-name=no\nCLUSTER_NAME=shop\n',
    },
    gives: told({ node_pool: 'ng-1', cluster: 'shop', told_as: 'bootstrap.sh', told_in: '/etc/eksctl/kubelet.env' }),
  },
  {
    title: 'Bottlerocket, which keeps its settings and no user data',
    files: {
      [`${BOTTLEROCKET}/cluster-name`]: '"edge"',
      [`${BOTTLEROCKET}/node-labels/karpenter%2Esh%2Fnodepool`]: '"arm"',
      [`${BOTTLEROCKET}/node-labels/karpenter%2Esh%2Fcapacity-type`]: '"on-demand"',
      [`${BOTTLEROCKET}/node-labels/%ZZ`]: '"x"',
    },
    gives: told({
      cluster: 'edge',
      told_as: 'settings',
      told_in: `${BOTTLEROCKET}/cluster-name`,
      capacity_type: 'on-demand',
      node_pool: 'arm',
    }),
  },
  {
    title: 'Bottlerocket whose kubelet is configured',
    files: {
      '/etc/kubernetes/kubelet/kubeconfig': kubeconfig('edge'),
      '/etc/kubernetes/kubelet/env': 'NODE_IP=10.0.0.1\nNODE_LABELS=karpenter.sh/nodepool=arm\n',
    },
    gives: told({ cluster: 'edge', told_in: '/etc/kubernetes/kubelet/kubeconfig', node_pool: 'arm' }),
  },
  {
    title: 'Ubuntu',
    files: {
      [USER_DATA]: '#!/bin/bash\n/etc/eks/bootstrap.sh shop\n',
      '/var/snap/kubelet-eks/current/args': '--node-labels="eks.amazonaws.com/nodegroup=jammy"',
    },
    gives: told({ node_pool: 'jammy', cluster: 'shop', told_as: 'bootstrap.sh', told_in: USER_DATA }),
  },
  {
    title: 'a kubelet that was started by hand: its command line, but not of another program',
    system: {
      processes: async () =>
        [`vi ${labels('no')}`, `/usr/bin/kubelet --config x ${labels('general')}`].map((command, pid) => ({
          pid,
          parentPid: 1,
          ageSeconds: 9,
          unit: null,
          command,
        })),
    },
    gives: [{ outcome: 'ok', code: 'nothing-told', facts: { node_pool: 'general', capacity_type: 'spot' } }],
  },
]);

test('the surer source wins: each file alone, and with all that come after it', async () => {
  const files = {
    [KUBECONFIG]: kubeconfig('first'),
    [NODEADM]: JSON.stringify({ spec: { cluster: { name: 'second' } } }),
    [`${BOTTLEROCKET}/cluster-name`]: '"third"',
    '/etc/eksctl/kubelet.env': 'CLUSTER_NAME=fourth\n',
    '/etc/eks/nodeadm.d/a.yaml': nodeConfig('fifth'),
    [USER_DATA]: nodeConfig('sixth'),
    [`${USER_DATA}.i`]: nodeConfig('seventh'),
  };
  const entries = Object.entries(files);
  const seen = await Promise.all(
    entries.map(
      async (_, index) =>
        (await ask(identityTold, { files: Object.fromEntries(entries.slice(index)) }))[0]?.facts['cluster'],
    ),
  );
  assert.deepEqual(seen, ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']);
  assert.equal(SOURCES.length, 6);
});

test('a mount that does not answer hides only what lies on it', async () => {
  const [answer] = await ask(identityTold, {
    system: {
      readSmall: async (path) => {
        if (path.startsWith('/var/')) throw new HostError('mount-stuck', '/var');
        return path === '/etc/eks/nodeadm.d/a.yaml' ? nodeConfig('shop') : null;
      },
      listFolder: async (path) => (path === '/etc/eks/nodeadm.d' ? ['a.yaml'] : []),
    },
  });
  assert.deepEqual(answer?.facts['cluster'], 'shop');
});
