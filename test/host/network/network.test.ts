import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNetwork } from '../../../src/host/network/create-network.ts';
import { type ConnectRequest, type HttpRequest, NetworkError, type Trust } from '../../../src/host/network/network.ts';
import { makeAuthority, makeServer } from '../certificates.ts';
import { folderWith } from '../folder-with.ts';
import { closedPort, fullPort, HOST, httpServer, httpsServer, tcpServer } from '../servers.ts';
import { IMPORT_NETWORK, untilGone } from '../until-gone.ts';

const NAME = 'api.test';
const DAY_MS = 86_400_000;
const authority = makeAuthority('Right CA');
const trust: Trust = { authorities: authority.cert };
const resolver = {
  nameservers: [],
  hosts: new Map([
    [NAME, [{ address: HOST, family: 4 as const }]],
    [
      'two.test',
      [
        { address: '127.0.0.2', family: 4 as const },
        { address: HOST, family: 4 as const },
      ],
    ],
  ]),
};
const network = createNetwork({ environment: {}, resolver });
const target = (port: number, more: Partial<ConnectRequest> = {}): ConnectRequest => ({
  host: NAME,
  port,
  trust: null,
  proxy: null,
  timeLimitMs: 2_000,
  signal: new AbortController().signal,
  ...more,
});
const get = (port: number, more: Partial<HttpRequest> = {}): HttpRequest => ({
  ...target(port),
  method: 'GET',
  path: '/',
  headers: {},
  ...more,
});
const failsWith = (code: string) => (error: unknown) => error instanceof NetworkError && error.code === code;

// ---------------------------------------------------------------- TCP

test('connects, says where to, and sends nothing', async (t) => {
  const received: Buffer[] = [];
  const { port } = await tcpServer(t, (socket) => socket.on('data', (chunk: Buffer) => received.push(chunk)));
  const { address } = await network.connect(target(port));
  assert.equal(address, HOST);
  assert.deepEqual(received, []);
});

test('a port at which nobody listens is connect-refused and names the address', async () => {
  await assert.rejects(network.connect(target(await closedPort())), (error: unknown) => {
    assert.ok(error instanceof NetworkError);
    assert.deepEqual([error.code, error.address, error.detail], ['connect-refused', HOST, 'ECONNREFUSED']);
    return true;
  });
});

test('an address after one that refuses is tried', async (t) => {
  const { port } = await tcpServer(t, () => {});
  assert.equal((await network.connect(target(port, { host: 'two.test' }))).address, HOST);
});

test('packets that are dropped are connect-timeout', { skip: process.platform !== 'linux' }, async (t) => {
  const port = await fullPort(t);
  const startMs = performance.now();
  await assert.rejects(network.connect(target(port, { timeLimitMs: 300 })), failsWith('connect-timeout'));
  assert.ok(performance.now() - startMs < 600);
});

test('no way to the address is no-route', async () => {
  await assert.rejects(network.connect(target(443, { host: '255.255.255.255' })), failsWith('no-route'));
});

test('ends at once when the signal comes, and closes what it opened', async (t) => {
  const stop = new AbortController();
  const closed = Promise.withResolvers<void>();
  const { port } = await tcpServer(t, (socket) => {
    socket.on('close', () => closed.resolve());
    stop.abort();
  });
  await assert.rejects(
    network.connect(target(port, { trust, timeLimitMs: 60_000, signal: stop.signal })),
    failsWith('aborted'),
  );
  await closed.promise;
});

// ---------------------------------------------------------------- TLS

test('a server with the right name from the given authority is trusted', async (t) => {
  const { port } = await httpsServer(t, makeServer(authority, 'Right CA', [NAME, HOST]), (_asked, answer) =>
    answer.end(),
  );
  await network.connect(target(port, { trust }));
  await network.connect(target(port, { trust, host: HOST }));
});

const other = makeAuthority('Right CA');
for (const [title, certificate, code] of [
  ['from another authority of the same name', makeServer(other, 'Right CA', [NAME]), 'tls-unknown-ca'],
  ['from an unknown authority', makeServer(makeAuthority('Wrong CA'), 'Wrong CA', [NAME]), 'tls-unknown-ca'],
  ['signed by itself', makeAuthority(NAME), 'tls-unknown-ca'],
  ['for another name', makeServer(authority, 'Right CA', ['other.test']), 'tls-name-mismatch'],
  [
    'for a name and not the address',
    makeServer(authority, 'Right CA', ['other.test', '127.0.0.2']),
    'tls-name-mismatch',
  ],
  ['that has expired', makeServer(authority, 'Right CA', [NAME], { to: new Date(Date.now() - 60_000) }), 'tls-expired'],
  [
    'of tomorrow',
    makeServer(authority, 'Right CA', [NAME], { from: new Date(Date.now() + DAY_MS / 2) }),
    'tls-not-yet-valid',
  ],
] as const) {
  test(`a certificate ${title} is ${code}`, async (t) => {
    let asked = 0;
    const { port } = await httpsServer(t, certificate, (_asked, answer) => {
      asked++;
      answer.end();
    });
    await assert.rejects(network.connect(target(port, { trust })), failsWith(code));
    await assert.rejects(
      network.request(get(port, { trust, headers: { authorization: 'Bearer x' } })),
      failsWith(code),
    );
    assert.equal(asked, 0);
  });
}

test('an authority that is no certificate never falls back to the list of Node', async (t) => {
  const { port } = await httpsServer(t, makeServer(authority, 'Right CA', [NAME]), (_asked, answer) => answer.end());
  for (const authorities of ['', 'garbage', '-----BEGIN CERTIFICATE-----\ngarbage\n-----END CERTIFICATE-----\n']) {
    await assert.rejects(
      network.connect(target(port, { trust: { authorities } })),
      failsWith('tls-unknown-ca'),
      authorities,
    );
  }
});

test('the system trusts the bundle below the root, or SSL_CERT_FILE in its place', async (t) => {
  const { port } = await httpsServer(t, makeServer(authority, 'Right CA', [NAME]), (_asked, answer) => answer.end());
  const rightRoot = folderWith(t, {
    'etc/pki/tls/certs/ca-bundle.crt': `# Right CA\n${authority.cert}`,
    'opt/ca.pem': authority.cert,
    'etc/company.pem': authority.cert,
  });
  const wrongRoot = folderWith(t, {
    'etc/ssl/certs/ca-certificates.crt': other.cert,
    'etc/company.pem': authority.cert,
  });
  await createNetwork({ root: rightRoot, environment: {}, resolver }).connect(target(port, { trust: 'system' }));
  await assert.rejects(
    createNetwork({ root: wrongRoot, environment: {}, resolver }).connect(target(port, { trust: 'system' })),
    failsWith('tls-unknown-ca'),
  );
  await createNetwork({ root: wrongRoot, environment: { SSL_CERT_FILE: '/etc/company.pem' }, resolver }).connect(
    target(port, { trust: 'system' }),
  );
});

test('a server that accepts and stays silent is tls-timeout, one that hangs up connection-reset, one without TLS tls-failed', async (t) => {
  const silent = await tcpServer(t, () => {});
  const hangsUp = await tcpServer(t, (socket) => socket.end());
  const plain = await tcpServer(t, (socket) => socket.write('220 mail.test ESMTP\r\n'));
  await assert.rejects(network.connect(target(silent.port, { trust, timeLimitMs: 200 })), failsWith('tls-timeout'));
  await assert.rejects(network.connect(target(hangsUp.port, { trust })), failsWith('connection-reset'));
  await assert.rejects(network.connect(target(plain.port, { trust })), failsWith('tls-failed'));
});

// ---------------------------------------------------------------- HTTP

test('gives status, headers, body and the time of the server', async (t) => {
  const { port } = await httpsServer(t, makeServer(authority, 'Right CA', [NAME]), (asked, answer) => {
    answer.writeHead(201, {
      date: 'Thu, 20 Nov 2026 12:00:00 GMT',
      'x-asked': `${asked.method} ${asked.url} ${asked.headers.host}`,
    });
    asked.pipe(answer);
  });
  const answer = await network.request(get(port, { trust, method: 'POST', path: '/a?b=c', body: 'Action=Ask' }));
  assert.deepEqual([answer.status, answer.body, answer.address], [201, 'Action=Ask', HOST]);
  assert.equal(answer.dateMs, Date.parse('2026-11-20T12:00:00Z'));
  assert.equal(answer.headers['x-asked'], `POST /a?b=c ${NAME}:${port}`);
});

test('a redirect is an answer and is not followed', async (t) => {
  let elsewhere = 0;
  const lure = await httpServer(t, (_asked, answer) => {
    elsewhere++;
    answer.end();
  });
  const { port } = await httpServer(t, (_asked, answer) =>
    answer.writeHead(302, { location: `http://${HOST}:${lure.port}/` }).end(),
  );
  const answer = await network.request(get(port, { headers: { authorization: 'Bearer x' } }));
  assert.equal(answer.status, 302);
  assert.equal(elsewhere, 0);
});

test('a body longer than allowed is answer-too-large, also one that says its length', async (t) => {
  const { port } = await httpServer(t, (asked, answer) => {
    if (asked.url === '/long') {
      answer.end('x'.repeat(65_537));
      return;
    }
    const chunk = Buffer.alloc(16 * 1024, 'x');
    const pour = (): boolean => answer.write(chunk, () => answer.destroyed || pour());
    pour();
  });
  await assert.rejects(network.request(get(port, { path: '/long' })), failsWith('answer-too-large'));
  await assert.rejects(network.request(get(port, { path: '/endless' })), failsWith('answer-too-large'));
  assert.equal((await network.request(get(port, { path: '/long', bodyMaxBytes: 65_537 }))).body.length, 65_537);
});

test('a body that drips and an answer that never comes are answer-timeout', async (t) => {
  const { port } = await httpServer(t, (asked, answer) => {
    if (asked.url === '/silent') return;
    const drip = setInterval(() => answer.write('x'), 20);
    answer.on('close', () => clearInterval(drip));
  });
  for (const path of ['/silent', '/drips'])
    await assert.rejects(network.request(get(port, { path, timeLimitMs: 200 })), failsWith('answer-timeout'));
});

const ANSWERS: Readonly<Record<string, readonly [wire: string, code: string]>> = {
  'huge headers': [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'answer-too-large'],
  'many headers': [`HTTP/1.1 200 OK\r\n${'x-name: y\r\n'.repeat(5_000)}\r\n`, 'answer-too-large'],
  'no HTTP': ['220 mail.test ESMTP\r\n', 'answer-malformed'],
  'a header with a control character': ['HTTP/1.1 200 OK\r\nx: \u0001\u0000\r\n\r\n', 'answer-malformed'],
  'two lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'answer-malformed'],
  'length and chunks': [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'answer-malformed',
  ],
  'another protocol': [
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'answer-malformed',
  ],
};
for (const [title, [wire, code]] of Object.entries(ANSWERS)) {
  test(`an answer with ${title} is ${code}`, async (t) => {
    const { port } = await tcpServer(t, (socket) => socket.end(wire, 'latin1'));
    await assert.rejects(network.request(get(port)), failsWith(code));
  });
}

test('an answer that is cut off is connection-reset, without any answer too', async (t) => {
  const cut = await tcpServer(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'));
  const hangsUp = await tcpServer(t, (socket) => socket.on('data', () => socket.destroy()));
  for (const { port } of [cut, hangsUp])
    await assert.rejects(network.request(get(port)), failsWith('connection-reset'));
});

test('endless interim answers end at the limit', async (t) => {
  const { port } = await tcpServer(t, (socket) => {
    const pour = (): boolean =>
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10), () => socket.destroyed || setImmediate(pour));
    pour();
  });
  await assert.rejects(network.request(get(port, { timeLimitMs: 300 })), failsWith('answer-timeout'));
});

test('no error holds what was sent', async (t) => {
  const { port } = await tcpServer(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nx: \u0001secret-token\r\n\r\n', 'latin1'),
  );
  const failure: unknown = await network
    .request(get(port, { headers: { authorization: 'Bearer secret-token' } }))
    .catch((error: unknown) => error);
  assert.ok(failure instanceof NetworkError);
  assert.doesNotMatch(`${failure.message} ${failure.detail} ${failure.stack}`, /secret-token/);
  assert.equal(failure.cause, undefined);
});

test('of our environment it keeps the variables that concern the network', () => {
  const environment = {
    HTTPS_PROXY: 'http://proxy:3128',
    no_proxy: 'localhost',
    AWS_SECRET_ACCESS_KEY: 'secret',
    PATH: '/bin',
    HTTP_PROXY: '',
  };
  assert.deepEqual(createNetwork({ environment, resolver }).environment, {
    HTTPS_PROXY: 'http://proxy:3128',
    no_proxy: 'localhost',
  });
});

test(
  'a process whose connections hang at every step is gone in time',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const [full, silent] = [await fullPort(t), (await tcpServer(t, () => {})).port];
    const { output, exitCode, lingerMs } = await untilGone(`
    ${IMPORT_NETWORK}
    const network = createNetwork({ environment: {} });
    const target = { host: ${JSON.stringify(HOST)}, trust: null, proxy: null, timeLimitMs: 300, signal: new AbortController().signal };
    const proxy = { host: ${JSON.stringify(HOST)}, port: ${silent}, secure: false, authorization: null };
    const hanging = [
      network.connect({ ...target, port: ${full} }),
      network.connect({ ...target, port: ${silent}, trust: 'system' }),
      network.connect({ ...target, port: 443, trust: 'system', proxy }),
      network.request({ ...target, port: ${silent}, method: 'GET', path: '/', headers: {} }),
    ];
    console.log((await Promise.all(hanging.map((work) => work.catch(({ code }) => code)))).join());
  `);
    assert.deepEqual([output, exitCode], ['connect-timeout,tls-timeout,proxy-timeout,answer-timeout', 0]);
    assert.ok(lingerMs < 500, `${Math.round(lingerMs)} ms`);
  },
);
