import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectRequest, NetworkCode } from '../../../src/host/network/network.ts';
import { clusterEndpointReachable } from '../../../src/probes/cluster/cluster-endpoint-reachable.ts';
import { clusterFiles } from '../cluster-files.ts';
import { ask, type Case, testCases } from '../fakes.ts';
import { connectionCases, fakeNetwork, networkFailure } from '../fake-network.ts';

const CA = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const HOST = 'ABC123.gr7.us-west-2.eks.amazonaws.com';
const files = clusterFiles({ server: `https://${HOST}`, ca: CA });
const endpoint_host = HOST.toLowerCase();
const PROXY = {
  '/etc/systemd/system/kubelet.service.d/proxy.conf':
    '[Service]\nEnvironment="HTTPS_PROXY=http://proxy.corp:3128" "NO_PROXY=localhost"\n',
};
const failed = (code: NetworkCode, outcome: 'fail' | 'timeout' = 'fail'): Case => ({
  title: code,
  files,
  network: fakeNetwork({ connect: () => networkFailure(code, 'test', '10.0.0.7') }),
  gives: [{ outcome, code, facts: { endpoint_host, address: '10.0.0.7', address_kind: 'private', reason: 'test' } }],
});

testCases(clusterEndpointReachable, [
  {
    title: 'a private endpoint',
    files,
    network: fakeNetwork({ connect: () => '10.0.0.7' }),
    gives: [{ outcome: 'ok', code: 'ok', facts: { endpoint_host, address: '10.0.0.7', address_kind: 'private' } }],
  },
  {
    title: "through the kubelet's own proxy",
    files: { ...files, ...PROXY },
    network: fakeNetwork({ connect: ({ proxy }) => (proxy === null ? networkFailure('no-route') : '10.0.9.9') }),
    gives: [{ outcome: 'ok', code: 'ok', facts: { endpoint_host, proxy: 'proxy.corp:3128' } }],
  },
  { title: 'no file', network: fakeNetwork({}), gives: [{ outcome: 'skipped', code: 'endpoint-unknown', facts: {} }] },
  {
    title: 'a file without a CA',
    files: {
      '/var/lib/kubelet/kubeconfig': files['/var/lib/kubelet/kubeconfig']!.replace(
        /certificate-authority-data: .*/,
        '',
      ),
    },
    network: fakeNetwork({}),
    gives: [{ outcome: 'skipped', code: 'endpoint-unknown', facts: {} }],
  },
  ...connectionCases(failed),
]);

test('the proxy of another service or of this program is not the one of the kubelet', async () => {
  let asked: ConnectRequest | undefined;
  const connect = (request: ConnectRequest): string => {
    asked = request;
    return '10.0.0.7';
  };
  const containerd = {
    '/etc/systemd/system/containerd.service.d/proxy.conf': 'Environment=HTTPS_PROXY=http://proxy.corp:3128',
  };
  await ask(clusterEndpointReachable, {
    files: { ...files, ...containerd },
    network: fakeNetwork({ environment: { HTTPS_PROXY: 'http://own:1' }, connect }),
  });
  assert.equal(asked?.proxy, null);
  assert.deepEqual(asked?.trust, { authorities: CA });
});

test('an endpoint that could be read as something else is none', async () => {
  const hostile = [
    'http://a.example',
    'https://user:pass@a.example',
    'https://a.example\r\nx: y',
    'https://a\u0000b',
    'https://a\tb.example',
    'https://\u001B[31m',
    'https://a.example/path',
    'file:///etc/passwd',
    'a.example',
  ];
  for (const server of hostile) {
    const [answer] = await ask(clusterEndpointReachable, {
      files: clusterFiles({ server, ca: CA }),
      network: fakeNetwork({ connect: () => '10.0.0.7' }),
    });
    assert.equal(answer?.code, 'endpoint-unknown', JSON.stringify(server));
  }
});
