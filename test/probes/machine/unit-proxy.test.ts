import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownProxySettings, unitProxySettings } from '../../../src/probes/machine/unit-proxy.ts';
import { fakeSystem } from '../fakes.ts';
import { fakeNetwork } from '../fake-network.ts';

const KUBELET = '/etc/systemd/system/kubelet.service.d';
const settingsOf = (files: Readonly<Record<string, string>>, ...units: readonly string[]) =>
  unitProxySettings(fakeSystem({ files }), units);

test('takes what stands in the drop-ins of the unit, and in the files that they name', async () => {
  const written = { [`${KUBELET}/10.conf`]: '[Service]\nEnvironment="HTTPS_PROXY=http://a:1" "NO_PROXY=x,y"\n' };
  assert.deepEqual(await settingsOf(written, 'kubelet'), { httpsProxy: 'http://a:1', httpProxy: null, noProxy: 'x,y' });
  const named = {
    ...written,
    [`${KUBELET}/20.conf`]: 'EnvironmentFile=-/etc/environment\n',
    '/etc/environment': 'https_proxy=http://lower:1\nHTTPS_PROXY="http://b:2"\n',
  };
  assert.equal((await settingsOf(named, 'kubelet')).httpsProxy, 'http://b:2');
});

test('takes what systemd gives to all units, unless the unit says otherwise', async () => {
  const everywhere = {
    '/etc/systemd/system.conf.d/proxy.conf': '[Manager]\nDefaultEnvironment="HTTPS_PROXY=http://all:1" "NO_PROXY=x"\n',
  };
  assert.deepEqual(await settingsOf(everywhere, 'containerd'), {
    httpsProxy: 'http://all:1',
    httpProxy: null,
    noProxy: 'x',
  });
  const own = { ...everywhere, [`${KUBELET}/10.conf`]: 'Environment=NO_PROXY=y\n' };
  assert.deepEqual(await settingsOf(own, 'kubelet'), { httpsProxy: 'http://all:1', httpProxy: null, noProxy: 'y' });
});

test('the first unit that is told of a proxy counts, and another unit never', async () => {
  const files = { [`${KUBELET}/10.conf`]: 'Environment=HTTPS_PROXY=http://a:1\n' };
  assert.equal((await settingsOf(files, 'sandbox-image', 'kubelet')).httpsProxy, 'http://a:1');
  assert.equal((await settingsOf(files, 'containerd')).httpsProxy, null);
});

test('our own is that of our environment, else that of the services', async () => {
  const system = fakeSystem({ files: { [`${KUBELET}/10.conf`]: 'Environment=HTTPS_PROXY=http://a:1\n' } });
  assert.equal(
    (await ownProxySettings(fakeNetwork({ environment: { HTTPS_PROXY: 'http://own:1' } }), system)).httpsProxy,
    'http://own:1',
  );
  assert.equal((await ownProxySettings(fakeNetwork({}), system)).httpsProxy, 'http://a:1');
  assert.equal((await ownProxySettings(fakeNetwork({}), fakeSystem())).httpsProxy, null);
});
