import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createNetwork } from '../../src/host/network/create-network.ts';
import { type HttpRequest, NetworkError, type Proxy } from '../../src/host/network/network.ts';
import { makeAuthority, makeServer } from './certificates.ts';
import { connectProxy } from './connect-proxy.ts';
import { dnsServer } from './dns-server.ts';
import { folderWith } from './folder-with.ts';
import { closedPort, HOST, httpsServer, tcpServer } from './servers.ts';

const NAME = 'logs.us-west-2.amazonaws.com';
const AUTHORIZATION = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
const authority = makeAuthority('Company CA');
const network = createNetwork({ environment: {}, resolver: { nameservers: [], hosts: new Map() } });
const straightProxy = (port: number, more: Partial<Proxy> = {}): Proxy => ({
  host: HOST,
  port,
  secure: false,
  authorization: null,
  ...more,
});
const failsWith = (code: string, detail?: string) => (error: unknown) =>
  error instanceof NetworkError && error.code === code && (detail === undefined || error.detail === detail);

function get(proxy: Proxy, more: Partial<HttpRequest> = {}): HttpRequest {
  const limits = { timeLimitMs: 2_000, signal: new AbortController().signal };
  return {
    host: NAME,
    port: 443,
    trust: { authorities: authority.cert },
    proxy,
    method: 'GET',
    path: '/',
    headers: {},
    ...limits,
    ...more,
  };
}

function behind(t: TestContext, seen: string[] = []) {
  return httpsServer(t, makeServer(authority, 'Company CA', [NAME]), (asked, answer) => {
    seen.push(JSON.stringify(asked.headers));
    answer.end('through');
  });
}

test('a name that only the proxy can resolve is reached through it, verified end to end', async (t) => {
  const proxy = await connectProxy(t, await behind(t));
  assert.equal((await network.request(get(straightProxy(proxy.port)))).body, 'through');
  assert.equal((await network.connect(get(straightProxy(proxy.port)))).address, HOST);
  assert.deepEqual(proxy.asked, [`${NAME}:443`, `${NAME}:443`]);
});

test('credentials go to the proxy and not beyond', async (t) => {
  const seen: string[] = [];
  const proxy = await connectProxy(t, { ...(await behind(t, seen)), authorization: AUTHORIZATION });
  await assert.rejects(network.request(get(straightProxy(proxy.port))), failsWith('proxy-auth-required'));
  await assert.rejects(
    network.request(get(straightProxy(proxy.port, { authorization: 'Basic wrong' }))),
    failsWith('proxy-auth-required'),
  );
  assert.equal(
    (await network.request(get(straightProxy(proxy.port, { authorization: AUTHORIZATION })))).body,
    'through',
  );
  assert.doesNotMatch(seen.join('\n'), /proxy-auth|Basic/i);
});

test('a proxy that refuses says with what', async (t) => {
  const proxy = await connectProxy(t, { port: 1, status: 403 });
  await assert.rejects(network.request(get(straightProxy(proxy.port))), failsWith('proxy-refused', '403'));
});

test('a proxy that redirects refuses', async (t) => {
  const proxy = await connectProxy(t, { port: 1, status: 302 });
  await assert.rejects(network.request(get(straightProxy(proxy.port))), failsWith('proxy-refused', '302'));
});

test('a proxy that never answers is proxy-timeout', async (t) => {
  const proxy = await connectProxy(t, { port: 1, status: null });
  await assert.rejects(
    network.request(get(straightProxy(proxy.port), { timeLimitMs: 200 })),
    failsWith('proxy-timeout'),
  );
});

test('a proxy that hangs up or speaks no HTTP refuses', async (t) => {
  for (const wire of ['', 'SSH-2.0-OpenSSH_9.6\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`]) {
    const { port } = await tcpServer(t, (socket) => socket.once('data', () => socket.end(wire)));
    await assert.rejects(network.request(get(straightProxy(port))), failsWith('proxy-refused'), wire.slice(0, 40));
  }
});

test('whatever is wrong on the way to the proxy is proxy-unreachable', async (t) => {
  await assert.rejects(
    network.request(get(straightProxy(await closedPort()))),
    failsWith('proxy-unreachable', 'connect-refused'),
  );
  const nameserver = await dnsServer(t, () => 'nxdomain');
  const named = createNetwork({ environment: {}, resolver: { nameservers: [nameserver], hosts: new Map() } });
  await assert.rejects(
    named.request(get(straightProxy(3128, { host: 'proxy.corp' }))),
    failsWith('proxy-unreachable', 'dns-not-found'),
  );
});

test('a proxy that is spoken to by TLS must be trusted by the system', async (t) => {
  const { port } = await tcpServer(t, () => {});
  await assert.rejects(
    network.request(get(straightProxy(port, { secure: true }), { timeLimitMs: 200 })),
    failsWith('proxy-unreachable', 'tls-timeout'),
  );
});

test('a proxy that breaks TLS open with a CA of its own is told by the name of the failure, and trusted once the system trusts its CA', async (t) => {
  const company = makeAuthority('Proxy CA');
  const opened = await httpsServer(t, makeServer(company, 'Proxy CA', [NAME]), (_asked, answer) =>
    answer.end('opened'),
  );
  const proxy = straightProxy((await connectProxy(t, opened)).port);
  await assert.rejects(network.request(get(proxy)), failsWith('tls-unknown-ca'));
  const root = folderWith(t, { 'etc/pki/tls/certs/ca-bundle.crt': authority.cert + company.cert });
  const trusting = createNetwork({ root, environment: {}, resolver: { nameservers: [], hosts: new Map() } });
  assert.equal((await trusting.request(get(proxy, { trust: 'system' }))).body, 'opened');
});
