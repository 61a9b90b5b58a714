import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConnectRequest, NetworkError } from '../../../src/host/network/network.ts';
import { proxyComplete } from '../../../src/probes/machine/proxy-complete.ts';
import { readProxySettings } from '../../../src/probes/machine/proxy-settings.ts';
import { ask, fakeSystem, testCases, waiting } from '../fakes.ts';

const PATH = '/etc/systemd/system/containerd.service.d/http-proxy.conf';
const COMPLETE =
  'Environment="HTTP_PROXY=http://user:secret@proxy.corp:3128" "HTTPS_PROXY=http://user:secret@proxy.corp:3128" "NO_PROXY=localhost,169.254.169.254,.internal"\n';
const facts = { proxy: 'proxy.corp:3128', host: 'proxy.corp', path: PATH };
const reachable = { connect: async () => ({ address: '10.0.0.5', elapsedMs: 1 }) };

testCases(proxyComplete, [
  { title: 'none', gives: [{ outcome: 'ok', code: 'none-configured', facts: {} }] },
  {
    title: 'complete and reachable',
    files: { [PATH]: `[Service]\n${COMPLETE}` },
    network: reachable,
    gives: [{ outcome: 'ok', code: 'ok', facts }],
  },
  {
    title: 'without the instance metadata',
    files: { [PATH]: `[Service]\n${COMPLETE.replace('169.254.169.254,', '')}` },
    network: reachable,
    gives: [{ outcome: 'fail', code: 'exclusions-missing', facts: { ...facts, missing: '169.254.169.254' } }],
  },
  {
    title: 'unreachable',
    files: { [PATH]: COMPLETE },
    network: {
      connect: async () => {
        throw new NetworkError('dns-not-found', 'ENOTFOUND');
      },
    },
    gives: [{ outcome: 'fail', code: 'proxy-unreachable', facts: { ...facts, reason: 'dns-not-found' } }],
  },
  {
    title: 'no address',
    files: { '/etc/environment': 'HTTPS_PROXY=socks5://x\n' },
    gives: [
      { outcome: 'fail', code: 'proxy-unreachable', facts: { path: '/etc/environment', reason: 'not an address' } },
    ],
  },
  {
    title: 'silence',
    files: { [PATH]: COMPLETE },
    network: { connect: ({ signal }: ConnectRequest) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
]);

test("the proxy's credentials are in no fact", async () => {
  const answers = await ask(proxyComplete, { files: { [PATH]: COMPLETE }, network: reachable });
  assert.doesNotMatch(JSON.stringify(answers), /secret|user/);
});

test('settings are read in each form, the services before what holds for all', async () => {
  const read = async (files: Record<string, string>) =>
    (await readProxySettings(fakeSystem({ files })))?.settings ?? null;
  assert.deepEqual(
    await read({
      '/etc/environment': 'https_proxy=http://a:1\nno_proxy=x,y\n',
      [PATH]: 'Environment=HTTPS_PROXY=http://b:2\n',
    }),
    {
      httpsProxy: 'http://b:2',
      httpProxy: null,
      noProxy: '',
    },
  );
  assert.deepEqual(await read({ '/etc/environment': 'export https_proxy=\'http://a:1\'\nexport no_proxy="x, y"\n' }), {
    httpsProxy: 'http://a:1',
    httpProxy: null,
    noProxy: 'x, y',
  });
  assert.deepEqual(
    await read({
      '/etc/systemd/system.conf.d/environment.conf':
        '[Manager]\nDefaultEnvironment="HTTP_PROXY=http://a:1" "NO_PROXY=x"\n',
    }),
    {
      httpsProxy: null,
      httpProxy: 'http://a:1',
      noProxy: 'x',
    },
  );
  assert.equal(await read({ [PATH]: '# HTTPS_PROXY=http://b:2\nEnvironment="NO_PROXY=x" "HTTPS_PROXY="\n' }), null);
});
