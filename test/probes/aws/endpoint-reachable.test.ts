import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectRequest, NetworkCode } from '../../../src/host/network/network.ts';
import type { ConnectionCode } from '../../../src/probes/connection-answers.ts';
import { endpointReachable } from '../../../src/probes/aws/endpoint-reachable.ts';
import { ask, type Case, fakeContext, testCases } from '../fakes.ts';
import { fakeNetwork, networkFailure } from '../fake-network.ts';

const known = { region: 'us-west-2' };
const TIMEOUTS: readonly NetworkCode[] = ['dns-timeout', 'connect-timeout', 'tls-timeout', 'proxy-timeout'];
const BEFORE_ADDRESS: readonly ConnectionCode[] = ['dns-timeout', 'dns-not-found', 'dns-failed', 'no-resolver'];
const AT_ADDRESS: readonly ConnectionCode[] = [
  'connect-timeout',
  'connect-refused',
  'no-route',
  'connection-reset',
  'tls-timeout',
  'tls-unknown-ca',
  'tls-name-mismatch',
  'tls-expired',
  'tls-not-yet-valid',
  'tls-failed',
];
const AT_PROXY: readonly ConnectionCode[] = [
  'proxy-unreachable',
  'proxy-timeout',
  'proxy-refused',
  'proxy-auth-required',
];
const outcomeOf = (code: ConnectionCode): 'timeout' | 'fail' => (TIMEOUTS.includes(code) ? 'timeout' : 'fail');

for (const probe of endpointReachable) {
  const [answer] = await ask(probe, { known, network: fakeNetwork({ connect: () => '10.0.0.7' }) });
  const host = String(answer?.facts['host']);
  const cases: Case[] = [
    {
      title: 'an interface endpoint',
      known,
      network: fakeNetwork({ connect: () => '10.0.0.7' }),
      gives: [{ outcome: 'ok', code: 'ok', facts: { host, address: '10.0.0.7', address_kind: 'private' } }],
    },
    {
      title: 'a public address',
      known,
      network: fakeNetwork({ connect: () => '52.94.1.1' }),
      gives: [{ outcome: 'ok', code: 'ok', facts: { host, address: '52.94.1.1', address_kind: 'public' } }],
    },
    {
      title: 'no region',
      network: fakeNetwork({}),
      gives: [{ outcome: 'skipped', code: 'region-unknown', facts: {} }],
    },
    {
      title: 'a region of a forged log line',
      known: { region: 'evil.example#' },
      network: fakeNetwork({}),
      gives: [{ outcome: 'skipped', code: 'region-unknown', facts: {} }],
    },
    ...BEFORE_ADDRESS.map((code): Case => ({
      title: code,
      known,
      network: fakeNetwork({ connect: () => networkFailure(code) }),
      gives: [{ outcome: outcomeOf(code), code, facts: { host, reason: 'test' } }],
    })),
    ...AT_ADDRESS.map((code): Case => ({
      title: code,
      known,
      network: fakeNetwork({ connect: () => networkFailure(code, 'test', '52.94.1.1') }),
      gives: [
        {
          outcome: outcomeOf(code),
          code,
          facts: { host, address: '52.94.1.1', address_kind: 'public', reason: 'test' },
        },
      ],
    })),
    ...AT_PROXY.map((code): Case => ({
      title: code,
      known,
      files: {
        '/etc/systemd/system.conf.d/proxy.conf': 'DefaultEnvironment="HTTPS_PROXY=http://user:pass@proxy.corp:3128"',
      },
      network: fakeNetwork({
        environment: { HTTPS_PROXY: 'http://user:pass@proxy.corp:3128' },
        connect: () => networkFailure(code, 'test', '10.0.9.9'),
      }),
      gives: [{ outcome: outcomeOf(code), code, facts: { host, proxy: 'proxy.corp:3128', reason: 'test' } }],
    })),
  ];
  testCases(probe, cases);
}

function probeOf(name: string) {
  return endpointReachable.find((probe) => probe.name === name)!;
}

async function connectionOf(
  name: string,
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<ConnectRequest> {
  let asked: ConnectRequest | undefined;
  const connect = (request: ConnectRequest): string => {
    asked = request;
    return '10.0.0.7';
  };
  await ask(probeOf(name), { known, files, network: fakeNetwork({ environment, connect }) });
  return asked!;
}

test('the proxy is that of the unit which needs the endpoint', async () => {
  const files = {
    '/etc/systemd/system/containerd.service.d/http-proxy.conf': '[Service]\nEnvironmentFile=-/etc/proxy.env\n',
    '/etc/proxy.env':
      'HTTPS_PROXY=http://proxy.corp:3128\nNO_PROXY=localhost,.s3.us-west-2.amazonaws.com,s3.us-west-2.amazonaws.com\n',
  };
  assert.equal((await connectionOf('ecr-registry-reachable', files)).proxy?.host, 'proxy.corp');
  assert.equal((await connectionOf('s3-reachable', files)).proxy, null);
  assert.equal((await connectionOf('ec2-api-reachable', files)).proxy, null);
  assert.equal((await connectionOf('logs-reachable', files, { https_proxy: 'own:1' })).proxy?.host, 'own');
});

test('the certificate is verified with what the system trusts', async () => {
  assert.deepEqual((({ trust, port }) => ({ trust, port }))(await connectionOf('sts-reachable', {})), {
    trust: 'system',
    port: 443,
  });
});

test('the end of its time is not taken for an answer', async () => {
  const connect = () => networkFailure('aborted');
  await assert.rejects(
    async () => probeOf('sts-reachable').ask(fakeContext({ known, network: fakeNetwork({ connect }) })),
    { code: 'aborted' },
  );
});
