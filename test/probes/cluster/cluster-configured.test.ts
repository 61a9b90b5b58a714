import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostError } from '../../../src/host/host.ts';
import { nodeNameIn, readClusterAccess } from '../../../src/probes/cluster/cluster-access.ts';
import { clusterConfigured } from '../../../src/probes/cluster/cluster-configured.ts';
import { fakeSystem, testCases } from '../fakes.ts';

const ID = 'A011BF517ABF4C53CF79D08489E20FE2';
const HOST = `${ID}.gr7.us-west-2.eks.amazonaws.com`;
const PEM = '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----\n';
const KUBECONFIG = '/var/lib/kubelet/kubeconfig';
const NODE_CONFIG = '/run/eks/nodeadm/config.json';
const CA = '/etc/kubernetes/pki/ca.crt';

function kubeconfig(server: string, args: readonly string[], ca = `certificate-authority: ${CA}`): string {
  return `apiVersion: v1
kind: Config
clusters:
- cluster:
    ${ca}
    server: ${server}
  name: kubernetes
users:
- name: kubelet
  user:
    exec:
      command: /usr/bin/aws-iam-authenticator
      args:
${args.map((arg) => `        - ${JSON.stringify(arg)}`).join('\n')}
`;
}

const AL2 = kubeconfig(`https://${HOST}`, ['token', '-i', 'search-prod', '--region', 'us-west-2']);
const AL2023 = kubeconfig(`https://${HOST}:443`, [
  'eks',
  'get-token',
  '--cluster-name',
  'new',
  '--region',
  'us-west-2',
]);
const NODEADM = JSON.stringify({
  spec: {
    cluster: {
      name: 'new',
      apiServerEndpoint: `https://${HOST}`,
      certificateAuthority: Buffer.from(PEM).toString('base64'),
      cidr: '10.100.0.0/16',
    },
  },
});
const DROP_IN = '/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf';
const ARGUMENTS =
  "[Service]\nEnvironment='KUBELET_ARGS=--node-ip=10.8.33.140 --v=2 --hostname-override=ip-10-8-33-140.us-west-2.compute.internal'\n";

testCases(clusterConfigured, [
  {
    title: 'AL2',
    files: { [KUBECONFIG]: AL2, [CA]: PEM, [DROP_IN]: ARGUMENTS },
    gives: [
      {
        outcome: 'ok',
        code: 'ok',
        facts: {
          cluster: 'search-prod',
          node_name: 'ip-10-8-33-140.us-west-2.compute.internal',
          endpoint_host: HOST,
          config_path: KUBECONFIG,
        },
      },
    ],
  },
  {
    title: 'AL2023 before the kubeconfig is written',
    files: { [NODE_CONFIG]: NODEADM },
    gives: [{ outcome: 'ok', code: 'ok', facts: { cluster: 'new', endpoint_host: HOST, config_path: NODE_CONFIG } }],
  },
  {
    title: "AL2 before bootstrap.sh has run: the image's template, and the name from the user data",
    files: {
      [KUBECONFIG]: kubeconfig('MASTER_ENDPOINT', ['token', '-i', 'CLUSTER_NAME']),
      '/var/lib/cloud/instance/user-data.txt':
        "#!/bin/bash\nexport PASSWORD=hunter2\n/etc/eks/bootstrap.sh 'my-cluster' --b64-cluster-ca x\n",
    },
    gives: [
      {
        outcome: 'fail',
        code: 'not-written',
        facts: { cluster: 'my-cluster', told_in: '/var/lib/cloud/instance/user-data.txt', told_as: 'bootstrap.sh' },
      },
    ],
  },
  { title: 'nothing at all', gives: [{ outcome: 'fail', code: 'not-configured', facts: {} }] },
  {
    title: 'a file that is cut off',
    files: { [NODE_CONFIG]: NODEADM.slice(0, 40) },
    gives: [{ outcome: 'fail', code: 'unreadable', facts: { config_path: NODE_CONFIG } }],
  },
  {
    title: 'an endpoint that is not HTTPS',
    files: { [KUBECONFIG]: kubeconfig('http://10.0.0.1', ['token', '-i', 'x']), [CA]: PEM },
    gives: [{ outcome: 'fail', code: 'unreadable', facts: { cluster: 'x', config_path: KUBECONFIG } }],
  },
  {
    title: 'a mount that does not answer',
    system: {
      readSmall: async () => {
        throw new HostError('mount-stuck', '/var/lib/kubelet');
      },
    },
    gives: [{ outcome: 'timeout', code: 'mount-stuck', facts: { path: '/var/lib/kubelet' } }],
  },
]);

test('access: endpoint and CA come from one file, and the name from the kubelet arguments', async () => {
  const access = await readClusterAccess(
    fakeSystem({
      files: {
        [KUBECONFIG]: AL2023,
        [CA]: PEM,
        [NODE_CONFIG]: NODEADM,
        '/etc/eks/kubelet/environment': 'NODEADM_KUBELET_ARGS="--v=2 --hostname-override=i-0abc --x"',
      },
    }),
  );
  assert.deepEqual(access, {
    server: `https://${HOST}:443`,
    caPem: PEM,
    cluster: 'new',
    configPath: KUBECONFIG,
    nodeName: 'i-0abc',
  });
  const inline = kubeconfig(
    `https://${HOST}`,
    [],
    `certificate-authority-data: ${Buffer.from(PEM).toString('base64')}`,
  );
  assert.equal((await readClusterAccess(fakeSystem({ files: { [KUBECONFIG]: inline } })))?.caPem, PEM);
  assert.equal((await readClusterAccess(fakeSystem({ files: { [NODE_CONFIG]: NODEADM } })))?.configPath, NODE_CONFIG);
});

test('access: never without a CA, over plain HTTP, with credentials in the address, or with a CA of another file', async () => {
  const none = [
    { [KUBECONFIG]: AL2 },
    { [KUBECONFIG]: AL2, [CA]: 'no certificate' },
    { [KUBECONFIG]: AL2, [NODE_CONFIG]: NODEADM },
    { [KUBECONFIG]: kubeconfig('http://10.0.0.1', []), [CA]: PEM },
    { [KUBECONFIG]: kubeconfig('https://user:password@10.0.0.1', []), [CA]: PEM },
    { [KUBECONFIG]: kubeconfig('https://10.0.0.1/path?x', []), [CA]: PEM },
    { [KUBECONFIG]: kubeconfig(`https://${HOST}`, [], 'certificate-authority: ../../ca.crt'), '../../ca.crt': PEM },
    {},
  ];
  for (const files of none) assert.equal(await readClusterAccess(fakeSystem({ files })), null);
});

test('access: aliases, which could blow up a small file, are refused', async () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nclusters: [*b,*b,*b]\n`;
  assert.equal(await readClusterAccess(fakeSystem({ files: { [KUBECONFIG]: bomb } })), null);
});

test('a node name is what stands after the flag, and nothing that is no name', () => {
  assert.equal(nodeNameIn('kubelet --hostname-override=ip-10-0-0-1.ec2.internal --v=2'), 'ip-10-0-0-1.ec2.internal');
  assert.equal(nodeNameIn("--hostname-override 'a.b'"), 'a.b');
  assert.equal(nodeNameIn('--hostname-override=$(hostname)'), null);
  assert.equal(nodeNameIn('--hostname-override='), null);
});
