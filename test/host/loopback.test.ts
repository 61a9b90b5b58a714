import assert from 'node:assert/strict';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { askLoopback } from '../../src/host/network/ask-loopback.ts';
import { askSocket } from '../../src/host/network/ask-socket.ts';
import { folderWith } from './folder-with.ts';

const never = new AbortController().signal;
const HELLO = Buffer.from('hello');

async function httpServer(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

async function unixServer(t: TestContext, onSocket: (socket: Socket) => void): Promise<string> {
  const path = join(folderWith(t), 'x.sock');
  const server = createServer(onSocket).listen(path);
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return path;
}

test('HTTP: status and body are given, and a redirect is an answer', async (t) => {
  const port = await httpServer(t, (request, response) => {
    if (request.url === '/healthz') response.end('ok');
    else response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  });
  assert.deepEqual(await askLoopback(port, '/healthz', never), { kind: 'answered', status: 200, body: 'ok' });
  assert.deepEqual(await askLoopback(port, '/other', never), { kind: 'answered', status: 302, body: '' });
});

test('HTTP: a body without end is cut, and headers without end are refused', async (t) => {
  const port = await httpServer(t, (request, response) => {
    if (request.url === '/headers') response.setHeader('x', 'y'.repeat(100_000));
    const more = (): void =>
      void (response.destroyed ? null : response.write('x'.repeat(60_000), () => setImmediate(more)));
    more();
  });
  const answer = await askLoopback(port, '/', never);
  assert.ok(answer.kind === 'answered' && answer.body.length === 64 * 1024);
  assert.deepEqual(await askLoopback(port, '/headers', never), { kind: 'failed' });
});

test('HTTP: nobody listens, nonsense, and silence', async (t) => {
  const port = await httpServer(t, () => {});
  const nonsense = createServer((socket) => socket.end('SSH-2.0-x\r\n')).listen(0, '127.0.0.1');
  t.after(() => nonsense.close());
  await new Promise((resolve) => nonsense.once('listening', resolve));
  assert.deepEqual(await askLoopback((nonsense.address() as AddressInfo).port, '/', never), { kind: 'failed' });
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const freePort = (free.address() as AddressInfo).port;
  await new Promise((resolve) => free.close(resolve));
  assert.deepEqual(await askLoopback(freePort, '/', never), { kind: 'refused' });
  const stop = new AbortController();
  const waiting = askLoopback(port, '/', stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
});

test('Unix socket: an answer, an end without one, nobody, nothing, and silence', async (t) => {
  const answering = await unixServer(t, (socket) => socket.on('data', () => socket.end('hi')).on('error', () => {}));
  assert.equal(await askSocket(answering, HELLO, never), 'answered');
  const closing = await unixServer(t, (socket) => socket.on('error', () => {}).end());
  assert.equal(await askSocket(closing, HELLO, never), 'refused');
  const folder = folderWith(t, { 'plain-file': '' });
  assert.equal(await askSocket(join(folder, 'plain-file'), HELLO, never), 'refused');
  assert.equal(await askSocket(join(folder, 'nothing'), HELLO, never), 'missing');
  let held: Socket | null = null;
  const silent = await unixServer(t, (socket) => {
    held = socket;
  });
  const stop = new AbortController();
  const waiting = askSocket(silent, HELLO, stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(waiting, /stopped/);
  t.after(() => held?.destroy());
});
