import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createNetwork } from '../../src/host/network/create-network.ts';
import { instanceMetadataReachable } from '../../src/probes/aws/instance-metadata-reachable.ts';
import { metadataEndpoint, MetadataError, openMetadata } from '../../src/aws/instance-metadata.ts';
import { HOST, httpServer, tcpServer } from '../host/servers.ts';
import { ask, testCases } from '../probes/fakes.ts';
import {
  type Answer,
  fakeNetwork,
  metadataAnswers,
  METADATA_HOST,
  networkFailure,
  ROLE_ITEMS,
  TOKEN,
} from '../probes/fake-network.ts';

const MAC_PATH = 'meta-data/network/interfaces/macs/0a:1b:2c:3d:4e:5f';
const ITEMS: Readonly<Record<string, string>> = {
  ...ROLE_ITEMS,
  'dynamic/instance-identity/document': JSON.stringify({
    accountId: '111122223333',
    availabilityZone: 'us-west-2b',
    imageId: 'ami-0123456789abcdef0',
    instanceId: 'i-0123456789abcdef0',
    instanceType: 'm7g.large',
    region: 'us-west-2',
  }),
  'meta-data/services/partition': 'aws',
  'meta-data/local-hostname': 'ip-10-0-12-7.us-west-2.compute.internal ip-10-0-12-7.corp.example',
  'meta-data/mac': '0a:1b:2c:3d:4e:5f',
  [`${MAC_PATH}/vpc-id`]: 'vpc-0123456789abcdef0',
  [`${MAC_PATH}/subnet-id`]: 'subnet-0123456789abcdef0',
  [`${MAC_PATH}/security-group-ids`]: 'sg-0123456789abcdef0\nsg-0123456789abcdef1',
  'meta-data/tags/instance': 'Name\nkarpenter.sh/nodepool\nkubernetes.io/cluster/prod',
  'meta-data/tags/instance/karpenter.sh/nodepool': 'general',
  'meta-data/instance-life-cycle': 'spot',
};
const FACTS = {
  instance_id: 'i-0123456789abcdef0',
  instance_type: 'm7g.large',
  region: 'us-west-2',
  availability_zone: 'us-west-2b',
  account: '111122223333',
  ami_id: 'ami-0123456789abcdef0',
  partition: 'aws',
  private_dns_name: 'ip-10-0-12-7.us-west-2.compute.internal',
  role_name: 'node-role',
  role_arn: 'arn:aws:iam::111122223333:role/node-role',
  token_required: true,
  cluster: 'prod',
  node_pool: 'general',
  capacity_type: 'spot',
  vpc_id: 'vpc-0123456789abcdef0',
  subnet_id: 'subnet-0123456789abcdef0',
  security_groups: 'sg-0123456789abcdef0,sg-0123456789abcdef1',
};
const withAnswers = (items: Readonly<Record<string, Answer>>, token?: Answer) => ({
  network: fakeNetwork({ request: metadataAnswers(items, token) }),
});
const failing = (code: 'unreachable' | 'server-error', reason: string) => [
  {
    outcome: 'fail' as const,
    code,
    facts: { reason, attempts: 2, ...(code === 'unreachable' ? { brief: true } : {}) },
  },
];
const refusing = (code: 'token-refused' | 'unauthorized' | 'not-found', reason: string) => [
  { outcome: 'fail' as const, code, facts: { reason, attempts: 1 } },
];

testCases(instanceMetadataReachable, [
  { title: 'all that it can say', ...withAnswers(ITEMS), gives: [{ outcome: 'ok', code: 'ok', facts: FACTS }] },
  {
    title: 'the least that it can say, with values that are none',
    ...withAnswers({
      'dynamic/instance-identity/document': JSON.stringify({
        instanceId: 'i-1',
        region: 'a\u001B[31m',
        accountId: 7,
        imageId: 'x'.repeat(300),
      }),
      'meta-data/mac': '../../../user-data',
    }),
    gives: [{ outcome: 'ok', code: 'ok', facts: { instance_id: 'i-1', token_required: true } }],
  },
  { title: 'switched off', ...withAnswers({}, 403), gives: refusing('token-refused', '403') },
  {
    title: 'its own token not accepted',
    ...withAnswers({ 'dynamic/instance-identity/document': 401 }),
    gives: refusing('unauthorized', '401'),
  },
  { title: 'something else answers', ...withAnswers({}, 404), gives: refusing('not-found', '404') },
  {
    title: 'silent',
    ...withAnswers({}, networkFailure('connect-timeout')),
    gives: failing('unreachable', 'connect-timeout'),
  },
  { title: 'failing', ...withAnswers({}, 500), gives: failing('server-error', '500') },
  { title: 'redirecting', ...withAnswers({}, 302), gives: failing('server-error', '302') },
  {
    title: 'a token that would break a header',
    ...withAnswers({}, 'a\r\nx: y'),
    gives: failing('server-error', 'no token'),
  },
  {
    title: 'an endless answer',
    ...withAnswers({}, networkFailure('answer-too-large')),
    gives: failing('server-error', 'answer-too-large'),
  },
]);

test('a service that comes late is a finding: how often it was asked', async () => {
  const answers = metadataAnswers(ITEMS);
  let asked = 0;
  const request = (target: Parameters<typeof answers>[0]): Answer =>
    asked++ === 0 ? networkFailure('connect-timeout') : answers(target);
  assert.deepEqual(await ask(instanceMetadataReachable, { network: fakeNetwork({ request }) }), [
    { code: 'ok', facts: { ...FACTS, attempts: 2 } },
  ]);
});

test('a service without the need of a token is told', async () => {
  const answers = metadataAnswers(ITEMS);
  const request = (target: Parameters<typeof answers>[0]): Answer =>
    target.headers['x-aws-ec2-metadata-token'] === undefined && target.method === 'GET' ? 'i-1' : answers(target);
  const [answer] = await ask(instanceMetadataReachable, { network: fakeNetwork({ request }) });
  assert.equal(answer?.facts['token_required'], false);
});

test('user data is surer than tags, gives names alone, and what has another form is no name', async () => {
  const script =
    "#!/bin/sh\nexport PASSWORD=hunter2\n/etc/eks/bootstrap.sh shop --kubelet-extra-args '--node-labels=eks.amazonaws.com/capacityType=ON_DEMAND,karpenter.sh/nodepool=$(x)'\n";
  const body = gzipSync(script).toString('latin1');
  const asked: string[] = [];
  const answers = metadataAnswers({ ...ITEMS, 'user-data': body, 'meta-data/instance-life-cycle': '<html>' });
  const request = (target: Parameters<typeof answers>[0]): Answer => {
    if (target.path.endsWith('/user-data')) asked.push(String(target.bodyEncoding));
    return answers(target);
  };
  const [answer] = await ask(instanceMetadataReachable, { network: fakeNetwork({ request }) });
  assert.deepEqual(answer?.facts, { ...FACTS, cluster: 'shop', capacity_type: 'on-demand' });
  assert.deepEqual(asked, ['latin1']);
});

test('credentials are never asked for, and a proxy never used', async () => {
  const asked: Parameters<NonNullable<Parameters<typeof fakeNetwork>[0]['request']>>[0][] = [];
  const environment = { HTTP_PROXY: 'http://proxy:3128', HTTPS_PROXY: 'http://proxy:3128' };
  await ask(instanceMetadataReachable, {
    network: fakeNetwork({ request: metadataAnswers(ITEMS), asked, environment }),
  });
  assert.ok(asked.length > 10);
  assert.deepEqual(
    [...new Set(asked.map(({ host, port, proxy }) => `${host}:${port} ${proxy === null}`))],
    [`${METADATA_HOST}:80 true`],
  );
  assert.ok(asked.every(({ path }) => !path.includes('security-credentials/node-role')));
});

test('another endpoint is taken only on this machine or its link', () => {
  const endpoint = (value: string, mode = '') => {
    const { host, port } = metadataEndpoint({
      AWS_EC2_METADATA_SERVICE_ENDPOINT: value,
      AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: mode,
    });
    return `${host} ${port}`;
  };
  const usual = '169.254.169.254 80';
  assert.equal(endpoint(''), usual);
  assert.equal(endpoint('', 'IPv6'), 'fd00:ec2::254 80');
  assert.equal(endpoint('http://127.0.0.1:1338'), '127.0.0.1 1338');
  assert.equal(endpoint('http://[fd00:ec2::254]/'), 'fd00:ec2::254 80');
  assert.equal(endpoint('http://[::1]:8080'), '::1 8080');
  for (const far of [
    'http://10.0.0.1',
    'http://metadata.example',
    'http://127.0.0.1.example',
    'https://127.0.0.1',
    'http://169.254.169.254@evil.example',
    'http://[fd00::1]',
    'x',
  ]) {
    assert.equal(endpoint(far), usual, far);
  }
});

test('speaks the protocol over a real socket', async (t) => {
  const seen: string[] = [];
  const { port } = await httpServer(t, (asked, answer) => {
    const {
      'x-aws-ec2-metadata-token-ttl-seconds': seconds,
      'x-aws-ec2-metadata-token': token,
      'transfer-encoding': encoding,
    } = asked.headers;
    seen.push([asked.method, asked.url, seconds ?? token ?? '-', encoding].join(' ').trim());
    if (asked.method === 'PUT') answer.end(TOKEN);
    else if (asked.url === '/latest/meta-data/mac') answer.end('0a:1b');
    else answer.writeHead(asked.headers['x-aws-ec2-metadata-token'] === undefined ? 401 : 404).end();
  });
  const network = createNetwork({ environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://${HOST}:${port}` } });
  const metadata = await openMetadata(network, new AbortController().signal);
  assert.equal(await metadata.get('meta-data/mac'), '0a:1b');
  assert.equal(await metadata.get('meta-data/spot/instance-action'), null);
  assert.equal(await metadata.isTokenRequired(), true);
  assert.deepEqual(seen, [
    `PUT /latest/api/token 60`,
    `GET /latest/meta-data/mac ${TOKEN}`,
    `GET /latest/meta-data/spot/instance-action ${TOKEN}`,
    'GET /latest/meta-data/instance-id -',
  ]);
});

test('one that accepts and stays silent is given up after two attempts', async (t) => {
  const { port } = await tcpServer(t, () => {});
  const network = createNetwork({ environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://${HOST}:${port}` } });
  const startMs = performance.now();
  await assert.rejects(
    openMetadata(network, new AbortController().signal),
    (error: unknown) =>
      error instanceof MetadataError && error.code === 'unreachable' && error.reason === 'answer-timeout',
  );
  assert.ok(performance.now() - startMs < 2_600);
});
