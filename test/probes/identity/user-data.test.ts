import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toldByUserData } from '../../../src/probes/identity/user-data.ts';

const NODE_CONFIG = `---
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
metadata:
  name: not-this-one
spec:
  cluster:
    # name: nor-this
    apiServerEndpoint: https://0A1B2C.gr7.eu-west-1.eks.amazonaws.com
    name: "shop-prod"
    cidr: 10.100.0.0/16
  kubelet:
    flags:
      - --node-labels="karpenter.k8s.aws/ec2nodeclass=default,karpenter.sh/capacity-type=spot,karpenter.sh/nodepool=general"
`;
const MANAGED = `#!/bin/bash
set -ex
B64_CLUSTER_CA=LS0t
API_SERVER_URL=https://0A1B2C.gr7.eu-west-1.eks.amazonaws.com
/etc/eks/bootstrap.sh shop_2 --kubelet-extra-args '--node-labels=eks.amazonaws.com/nodegroup-image=ami-0123456789abcdef0,eks.amazonaws.com/capacityType=ON_DEMAND,eks.amazonaws.com/nodegroup=workers --max-pods=17' \\
  --b64-cluster-ca $B64_CLUSTER_CA --apiserver-endpoint $API_SERVER_URL
`;
const SETTINGS = `[settings.kubernetes]
api-server = "https://0A1B2C.gr7.eu-west-1.eks.amazonaws.com"
cluster-name = "edge" # ours
[settings.kubernetes.node-labels]
"karpenter.sh/nodepool" = "arm"
"karpenter.sh/capacity-type" = "on-demand"
[settings.host-containers.admin]
cluster-name = "elsewhere"
`;
const KARPENTER = { cluster: 'shop-prod', told_as: 'NodeConfig', node_pool: 'general', capacity_type: 'spot' };
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const mime = (body: string, encoding = '7bit'): string =>
  `MIME-Version: 1.0\r\nContent-Type: multipart/mixed;\r\n boundary="//"\r\n\r\n--//\r\nContent-Type: text/x-shellscript\r\n\r\n#!/bin/sh\necho --node-labels=karpenter.sh/nodepool=echoed/no\n--//\r\nContent-Type: application/node.eks.aws\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--//--\r\n`;

const ROWS: readonly (readonly [title: string, userData: string, told: Readonly<Record<string, string>>])[] = [
  ['NodeConfig alone', NODE_CONFIG, KARPENTER],
  [
    'NodeConfig as JSON',
    '{"apiVersion":"node.eks.aws/v1alpha1","kind":"NodeConfig","spec":{"cluster":{"apiServerEndpoint":"https://x","name":"json-one"}}}',
    { cluster: 'json-one', told_as: 'NodeConfig' },
  ],
  [
    'NodeConfig that a script writes',
    `#!/bin/sh\ncat >/etc/eks/nodeadm.yaml <<EOF\n${NODE_CONFIG}EOF\nnodeadm init\n`,
    KARPENTER,
  ],
  ['MIME part', mime(NODE_CONFIG), KARPENTER],
  ['MIME part in base64', mime(bytes(NODE_CONFIG).toString('base64').replace(/.{76}/g, '$&\r\n'), 'base64'), KARPENTER],
  ['MIME part that is gzip in base64', mime(gzipSync(NODE_CONFIG).toString('base64'), 'base64'), KARPENTER],
  ['MIME as a whole gzip', gzipSync(mime(NODE_CONFIG)).toString('latin1'), KARPENTER],
  ['base64 of gzip, as an API call leaves it', gzipSync(NODE_CONFIG).toString('base64'), KARPENTER],
  [
    'cloud-config that writes a packed file',
    `#cloud-config\nwrite_files:\n  - path: /etc/eks/nodeadm.d/a.yaml\n    encoding: gz+b64\n    content: ${gzipSync(NODE_CONFIG).toString('base64')}\n`,
    KARPENTER,
  ],
  [
    'bootstrap.sh of a managed node group',
    MANAGED,
    {
      cluster: 'shop_2',
      told_as: 'bootstrap.sh',
      node_pool: 'workers',
      capacity_type: 'on-demand',
      ami_id: 'ami-0123456789abcdef0',
    },
  ],
  [
    'bootstrap.sh as Karpenter calls it',
    "#!/bin/bash -xe\nexec > >(tee /var/log/user-data.log) 2>&1\n/etc/eks/bootstrap.sh 'blue' --apiserver-endpoint 'https://x' --b64-cluster-ca 'y' \\\n--container-runtime containerd \\\n--kubelet-extra-args '--node-labels=\"karpenter.sh/capacity-type=on-demand,karpenter.sh/nodepool=default\"'",
    { cluster: 'blue', told_as: 'bootstrap.sh', node_pool: 'default', capacity_type: 'on-demand' },
  ],
  [
    'bootstrap.sh with variables, flags first',
    '#!/bin/bash\nexport CLUSTER_NAME="green"\nLABELS=\'eks.amazonaws.com/nodegroup=batch\' # pool\nif true; then sudo bash -x /etc/eks/bootstrap.sh --use-max-pods false "${CLUSTER_NAME}" --kubelet-extra-args "--node-labels=$LABELS"; fi',
    { cluster: 'green', told_as: 'bootstrap.sh', node_pool: 'batch' },
  ],
  ['Bottlerocket', SETTINGS, { cluster: 'edge', told_as: 'settings', node_pool: 'arm', capacity_type: 'on-demand' }],
  [
    'Bottlerocket with dotted keys and a table in a line',
    'settings.kubernetes.cluster-name = \'flat\'\nsettings.kubernetes.node-labels = { "eks.amazonaws.com/nodegroup" = "ng-1", x = "y" }\n',
    { cluster: 'flat', told_as: 'settings', node_pool: 'ng-1' },
  ],
  ['a value that is not known', '#!/bin/sh\n/etc/eks/bootstrap.sh $CLUSTER\n', {}],
  ['a placeholder', '#!/bin/sh\n/etc/eks/bootstrap.sh my-cluster-name\n', {}],
  [
    'what only names the script',
    "#!/bin/sh\n# /etc/eks/bootstrap.sh commented\nsed -i 's/a/b/' /etc/eks/bootstrap.sh\ncp /etc/eks/bootstrap.sh copy\necho /etc/eks/bootstrap.sh said\n",
    {},
  ],
  ['a name that would break a path or a shell', "#!/bin/sh\n/etc/eks/bootstrap.sh '../$(reboot)'\n", {}],
  [
    'a label that is none',
    '--node-labels=karpenter.sh/nodepool=-a-,karpenter.sh/capacity-type=free,topology.kubernetes.io/zone=$',
    {},
  ],
  ['a NodeConfig that is cut off before the name', NODE_CONFIG.slice(0, NODE_CONFIG.indexOf('name: "shop')), {}],
  ['nothing', '', {}],
];

for (const [title, userData, told] of ROWS)
  test(`user data: ${title}`, async () => assert.deepEqual(await toldByUserData(userData), told));

test('hostile user data costs little: bombs, nesting, unclosed quotes, many boundaries', async () => {
  const texts = [
    gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString('latin1'),
    '"\\"'.repeat(80_000),
    "'".repeat(250_001),
    ' '.repeat(250_000) + '!',
    'A'.repeat(250_000) + '!',
    `Content-Type: multipart/mixed; boundary="x"\n\n${'--x\nContent-Type: multipart/mixed; boundary="x"\n\n'.repeat(4_000)}`,
    `node.eks.aws ${'cluster:{'.repeat(28_000)}`,
    `[settings.kubernetes]\n${'a '.repeat(100_000)}\n`,
    '/etc/eks/bootstrap.sh '.repeat(11_000),
    `A=${'x'.repeat(8_000)}\n${'/etc/eks/bootstrap.sh $A$A$A$A\n'.repeat(8_000)}`,
  ];
  for (const text of texts) {
    const startMs = performance.now();
    const told = await toldByUserData(text);
    assert.deepEqual(told, {}, text.slice(0, 40));
    assert.ok(performance.now() - startMs < 1_000, `${text.slice(0, 40)}: ${performance.now() - startMs} ms`);
  }
});
