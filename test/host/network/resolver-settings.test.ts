import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetwork } from '../../../src/host/network/create-network.ts';
import { parseHosts, parseNameservers } from '../../../src/host/network/resolver-settings.ts';
import { folderWith } from '../folder-with.ts';

test('takes the first three name servers that are addresses', () => {
  const text =
    '# by dhclient\nsearch ec2.internal\nnameserver 10.0.0.2 # VPC\n; nameserver 1.1.1.1\nnameserver fd00:ec2::253\nnameserver evil\nnameserver\n';
  assert.deepEqual(parseNameservers(text), ['10.0.0.2', 'fd00:ec2::253']);
  assert.deepEqual(
    parseNameservers('nameserver 10.0.0.1\nnameserver 10.0.0.2\nnameserver 10.0.0.3\nnameserver 10.0.0.4'),
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
  );
});

test('takes every name of a line of /etc/hosts, without regard to case', () => {
  const hosts = parseHosts(
    '127.0.0.1 localhost Localhost.LocalDomain # own\n::1\tlocalhost\n\nbad name\n10.0.0.9 api.test\n',
  );
  assert.deepEqual(hosts.get('localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.deepEqual([...hosts.keys()], ['localhost', 'localhost.localdomain', 'api.test']);
});

test('reads both below the root; without them there is no resolver', async (t) => {
  const limits = { timeLimitMs: 500, signal: new AbortController().signal };
  const root = folderWith(t, { 'etc/hosts': '10.0.0.9 api.test\n' });
  assert.deepEqual(await createNetwork({ root, environment: {} }).resolve('api.test', limits), [
    { address: '10.0.0.9', family: 4 },
  ]);
  await assert.rejects(createNetwork({ root, environment: {} }).resolve('other.test', limits), { code: 'no-resolver' });
});
