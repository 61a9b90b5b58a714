import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createNetwork } from '../../../src/host/network/create-network.ts';
import { NetworkError } from '../../../src/host/network/network.ts';
import { closedPort } from '../servers.ts';
import { IMPORT_NETWORK, untilGone } from '../until-gone.ts';
import { dnsServer } from '../dns-server.ts';

const NAME = 'sts.us-west-2.amazonaws.com';
const limits = (timeLimitMs = 3_000, signal = new AbortController().signal) => ({ timeLimitMs, signal });
const networkWith = (...nameservers: readonly string[]) =>
  createNetwork({ environment: {}, resolver: { nameservers, hosts: new Map() } });
const failsWith = (code: string) => (error: unknown) => error instanceof NetworkError && error.code === code;

test('gives IPv4 before IPv6', async (t) => {
  const server = await dnsServer(t, (_name, family) => (family === 4 ? ['10.0.0.7', '10.0.1.7'] : ['::1']));
  assert.deepEqual(await networkWith(server).resolve(NAME, limits()), [
    { address: '10.0.0.7', family: 4 },
    { address: '10.0.1.7', family: 4 },
    { address: '::1', family: 6 },
  ]);
});

test('does not wait for the other family once one has answered', async (t) => {
  const server = await dnsServer(t, (_name, family) => (family === 4 ? ['10.0.0.7'] : 'silent'));
  const startMs = performance.now();
  assert.deepEqual(await networkWith(server).resolve(NAME, limits()), [{ address: '10.0.0.7', family: 4 }]);
  assert.ok(performance.now() - startMs < 700);
});

test('a family that fails does not hide the one that answers', async (t) => {
  const server = await dnsServer(t, (_name, family) => (family === 4 ? 'servfail' : ['::1']));
  assert.deepEqual(await networkWith(server).resolve(NAME, limits()), [{ address: '::1', family: 6 }]);
});

for (const [answer, code] of [
  ['nxdomain', 'dns-not-found'],
  [[], 'dns-not-found'],
  ['servfail', 'dns-failed'],
  ['refused', 'dns-failed'],
  ['silent', 'dns-timeout'],
  ['garbage', 'dns-failed'],
] as const) {
  test(`a name server that answers ${JSON.stringify(answer)} is ${code}`, async (t) => {
    const server = await dnsServer(t, () => answer);
    await assert.rejects(networkWith(server).resolve(NAME, limits(400)), failsWith(code));
  });
}

test('that a name is unknown is only said if both families say so', async (t) => {
  const server = await dnsServer(t, (_name, family) => (family === 4 ? 'nxdomain' : 'servfail'));
  await assert.rejects(networkWith(server).resolve(NAME, limits()), failsWith('dns-failed'));
});

test('a silent name server is passed over for the next one', async (t) => {
  const [silent, good] = [
    await dnsServer(t, () => 'silent'),
    await dnsServer(t, (_name, family) => (family === 4 ? ['10.0.0.7'] : [])),
  ];
  assert.deepEqual(await networkWith(silent, good).resolve(NAME, limits()), [{ address: '10.0.0.7', family: 4 }]);
});

test('no name server at all, or none that listens, is no-resolver', async () => {
  await assert.rejects(networkWith().resolve(NAME, limits()), failsWith('no-resolver'));
  await assert.rejects(
    networkWith(`127.0.0.1:${await closedPort()}`).resolve(NAME, limits()),
    failsWith('no-resolver'),
  );
});

test('names of /etc/hosts and localhost need no server, addresses are taken as they are', async () => {
  const hosts = new Map([['sts.us-west-2.amazonaws.com', [{ address: '10.9.9.9', family: 4 as const }]]]);
  const network = createNetwork({ environment: {}, resolver: { nameservers: [], hosts } });
  assert.deepEqual(await network.resolve('STS.us-west-2.amazonaws.com.', limits()), [
    { address: '10.9.9.9', family: 4 },
  ]);
  assert.deepEqual((await network.resolve('localhost', limits()))[0], { address: '127.0.0.1', family: 4 });
  assert.deepEqual(await network.resolve('fd00:ec2::254', limits()), [{ address: 'fd00:ec2::254', family: 6 }]);
});

test('what is no host name is never asked for', async (t) => {
  let asked = 0;
  const server = await dnsServer(t, () => {
    asked++;
    return ['10.0.0.7'];
  });
  for (const host of [
    'a b',
    'evil\r\nhost: x',
    'a\u0000b',
    '\u001B[31m',
    'x'.repeat(300),
    'a/b',
    'user@host',
    '',
    '-x',
    '[::1]',
  ]) {
    await assert.rejects(networkWith(server).resolve(host, limits()), failsWith('dns-not-found'), JSON.stringify(host));
  }
  assert.equal(asked, 0);
});

test('ends at once when the signal comes', async (t) => {
  const server = await dnsServer(t, () => 'silent');
  const stop = new AbortController();
  const waiting = networkWith(server).resolve(NAME, limits(60_000, stop.signal));
  setImmediate(() => stop.abort());
  await assert.rejects(waiting, failsWith('aborted'));
  await assert.rejects(networkWith(server).resolve(NAME, limits(60_000, stop.signal)), failsWith('aborted'));
});

test('lookup speaks like dns.lookup', async (t) => {
  const server = await dnsServer(t, (name, family) =>
    name !== NAME ? 'nxdomain' : family === 4 ? ['10.0.0.7'] : ['::1'],
  );
  const { lookup } = networkWith(server);
  const ask = promisify(lookup) as unknown as (host: string, options: object) => Promise<unknown>;
  assert.deepEqual(await ask(NAME, { all: true }), [
    { address: '10.0.0.7', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.equal(await ask(NAME, {}), '10.0.0.7');
  assert.equal(await ask(NAME, { family: 6 }), '::1');
  assert.equal(await ask(NAME, { family: 'IPv6' }), '::1');
  await assert.rejects(ask('missing.example', { all: true }), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'missing.example',
  });
});

test('a process that asked a silent name server is gone in time', async (t) => {
  const server = await dnsServer(t, () => 'silent');
  const { output, exitCode, lingerMs } = await untilGone(`
    ${IMPORT_NETWORK}
    const network = createNetwork({ resolver: { nameservers: [${JSON.stringify(server)}], hosts: new Map() } });
    const limits = { timeLimitMs: 300, signal: new AbortController().signal };
    const target = { host: ${JSON.stringify(NAME)}, port: 443, trust: 'system', proxy: null };
    const codes = await Promise.all(Array.from({ length: 12 }, () => network.connect({ ...target, ...limits }).catch(({ code }) => code)));
    console.log([...new Set(codes)].join());
  `);
  assert.deepEqual([output, exitCode], ['dns-timeout', 0]);
  assert.ok(lingerMs < 500, `${Math.round(lingerMs)} ms`);
});
