import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpRequest, NetworkCode } from '../../../src/host/network/network.ts';
import { nodeRegistered } from '../../../src/probes/cluster/node-registered.ts';
import { clusterFiles, NODE_NAME } from '../cluster-files.ts';
import { ask, type Case, testCases } from '../fakes.ts';
import {
  type Answer,
  connectionCases,
  fakeNetwork,
  metadataAnswers,
  METADATA_HOST,
  networkFailure,
  ROLE_ITEMS,
} from '../fake-network.ts';

const CA = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const HOST = 'abc123.gr7.us-west-2.eks.amazonaws.com';
const known = { region: 'us-west-2' };
const files = clusterFiles({ server: `https://${HOST}`, ca: CA });
const place = { endpoint_host: HOST, node_name: NODE_NAME, address: '10.0.0.7', address_kind: 'private' };
const network = (api: Answer, items: Readonly<Record<string, Answer>> = ROLE_ITEMS, asked: HttpRequest[] = []) => {
  const metadata = metadataAnswers(items);
  return fakeNetwork({ asked, request: (target) => (target.host === METADATA_HOST ? metadata(target) : api) });
};
const node = (ready: object | null): string =>
  JSON.stringify({
    kind: 'Node',
    metadata: {
      name: NODE_NAME,
      labels: { 'karpenter.sh/nodepool': 'general', 'node.kubernetes.io/instance-type': 'm7g.large' },
    },
    spec: {
      taints: [
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
        { key: 'karpenter.sh/disrupted', value: 'yes', effect: 'NoExecute' },
      ],
    },
    status: {
      conditions: [
        { type: 'MemoryPressure', status: 'False' },
        ...(ready === null ? [] : [{ type: 'Ready', ...ready }]),
      ],
    },
  });
const labels = {
  taints: 'node.kubernetes.io/not-ready:NoSchedule,karpenter.sh/disrupted=yes:NoExecute',
  node_pool: 'general',
  instance_type: 'm7g.large',
};
const answered = (
  title: string,
  api: Answer,
  code: string,
  facts: Readonly<Record<string, string>>,
  outcome: 'ok' | 'fail' = 'fail',
): Case => ({
  title,
  known,
  files,
  network: network(api),
  gives: [{ outcome, code, facts: { ...place, ...facts } }],
});
const skipped = (title: string, code: string, change: Omit<Case, 'title' | 'gives'>): Case => ({
  title,
  known,
  files,
  network: network(node(null)),
  ...change,
  gives: [{ outcome: 'skipped', code, facts: {} }],
});
const failed = (code: NetworkCode, outcome: 'fail' | 'timeout' = 'fail', given: string = code): Case => ({
  title: code,
  known,
  files,
  network: network(networkFailure(code)),
  gives: [{ outcome, code: given, facts: { endpoint_host: HOST, node_name: NODE_NAME, reason: 'test' } }],
});
const CNI = {
  reason: 'KubeletNotReady',
  message:
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
};
const FORBIDDEN = `nodes "${NODE_NAME}" is forbidden: User "system:node:other" cannot get resource "nodes" in API group "" at the cluster scope`;

testCases(nodeRegistered, [
  answered(
    'Ready',
    node({ status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }),
    'ok',
    { ready_reason: 'KubeletReady', ready_message: 'kubelet is posting ready status', ...labels },
    'ok',
  ),
  answered('not Ready', node({ status: 'False', ...CNI }), 'not-ready', {
    ready_reason: CNI.reason,
    ready_message: CNI.message,
    ...labels,
  }),
  answered('unknown to the controller', node({ status: 'Unknown', reason: 'NodeStatusUnknown' }), 'not-ready', {
    ready_reason: 'NodeStatusUnknown',
    ...labels,
  }),
  answered('without any condition', node(null), 'not-ready', labels),
  answered(
    'values that are none',
    JSON.stringify({
      kind: 'Node',
      status: { conditions: [{ type: 'Ready', status: 'False', reason: '\u001B[31m', message: 7 }] },
      spec: { taints: 'x' },
    }),
    'not-ready',
    {},
  ),
  answered('no such node', 404, 'not-found', { reason: '404' }),
  answered('role not mapped', { status: 401, body: '{"kind":"Status","message":"Unauthorized"}' }, 'unauthorized', {
    reason: '401',
  }),
  answered(
    'role mapped wrongly',
    { status: 403, body: JSON.stringify({ kind: 'Status', message: FORBIDDEN }) },
    'forbidden',
    {
      reason: '403',
      message: FORBIDDEN,
    },
  ),
  answered('a server in trouble', 503, 'server-error', { reason: '503' }),
  answered('a redirect', { status: 302, headers: { location: 'https://evil.example/' } }, 'unexpected-answer', {
    reason: '302',
  }),
  answered('a page of something else', '<html>log in</html>', 'unexpected-answer', { reason: 'no node' }),
  skipped('no file names the endpoint', 'endpoint-unknown', { files: {} }),
  skipped('no file names the cluster', 'cluster-unknown', {
    files: clusterFiles({ server: `https://${HOST}`, ca: CA, cluster: null }),
    known: { ...known, cluster: 'of-a-log' },
  }),
  skipped('nobody knows its name', 'node-name-unknown', {
    files: clusterFiles({ server: `https://${HOST}`, ca: CA, nodeName: null }),
  }),
  skipped('a name of a forged log line', 'node-name-unknown', {
    files: clusterFiles({ server: `https://${HOST}`, ca: CA, nodeName: null }),
    known: { ...known, node_name: '../../secrets' },
  }),
  skipped('no region', 'region-unknown', { known: {} }),
  skipped('no instance profile', 'no-credentials', { network: network(node(null), {}) }),
  skipped('no metadata service', 'no-credentials', {
    network: fakeNetwork({ request: () => networkFailure('connect-timeout') }),
  }),
  ...connectionCases(failed),
  failed('answer-timeout', 'timeout'),
  failed('answer-too-large', 'fail', 'unexpected-answer'),
]);

async function requestOf(
  more: Parameters<typeof ask>[1] = {},
  api: Answer = 404,
): Promise<{ sent: HttpRequest; answers: string }> {
  const asked: HttpRequest[] = [];
  const answers = await ask(nodeRegistered, {
    known,
    files,
    wallMs: Date.UTC(2026, 10, 20, 12),
    network: network(api, ROLE_ITEMS, asked),
    ...more,
  });
  return { sent: asked.at(-1)!, answers: JSON.stringify(answers) };
}

test('the token has the form that the kubelet sends, for this cluster, valid for a minute', async () => {
  const { sent } = await requestOf();
  assert.equal(sent.path, `/api/v1/nodes/${NODE_NAME}`);
  const encoded = /^Bearer k8s-aws-v1\.(?<url>[\w-]+)$/.exec(sent.headers['authorization'] ?? '')?.groups?.['url'];
  const url = new URL(Buffer.from(encoded ?? '', 'base64url').toString());
  assert.equal(url.origin + url.pathname, 'https://sts.us-west-2.amazonaws.com/');
  const { 'X-Amz-Signature': signature, ...query } = Object.fromEntries(url.searchParams);
  assert.match(signature ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual(query, {
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'ASIATESTKEY/20261120/us-west-2/sts/aws4_request',
    'X-Amz-Date': '20261120T120000Z',
    'X-Amz-Expires': '60',
    'X-Amz-Security-Token': 'session-token',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
  });
});

test('it goes only to the endpoint of the file, verified with the CA of the same file, whatever a log says', async () => {
  const forged = {
    region: 'us-west-2',
    endpoint_host: 'evil.example',
    cluster: 'evil',
    server: 'https://evil.example',
    host: 'evil.example',
  };
  const { sent } = await requestOf({ known: forged });
  assert.deepEqual([sent.host, sent.port, sent.trust, sent.proxy], [HOST, 443, { authorities: CA }, null]);
});

test('neither token nor credentials stand in any answer, not even when the server sends them back', async () => {
  const { sent, answers } = await requestOf({}, 401);
  const token = (sent.headers['authorization'] ?? '').slice('Bearer '.length);
  const echoes: Answer[] = [
    { status: 403, body: JSON.stringify({ kind: 'Status', message: `no: ${token}` }) },
    JSON.stringify({
      kind: 'Node',
      status: { conditions: [{ type: 'Ready', status: 'False', reason: token, message: token }] },
    }),
  ];
  const echoed = await Promise.all(echoes.map((api) => requestOf({}, api)));
  for (const text of [answers, ...echoed.map((echo) => echo.answers)]) {
    assert.doesNotMatch(text, /k8s-aws-v1|session-token|secret-access-key|ASIATESTKEY/);
    assert.ok(!text.includes(token.slice(-40)));
  }
});

test('without an override it is the private DNS name', async () => {
  const { sent } = await requestOf({
    files: clusterFiles({ server: `https://${HOST}`, ca: CA, nodeName: null }),
    known: { ...known, private_dns_name: 'ip-10-0-0-9.ec2.internal' },
  });
  assert.equal(sent.path, '/api/v1/nodes/ip-10-0-0-9.ec2.internal');
});
