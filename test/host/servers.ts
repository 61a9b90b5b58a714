// Listeners on the loopback address that are closed, with all their connections, when the test ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Certificate } from './certificates.ts';

export const HOST = '127.0.0.1';

export interface Listener {
  readonly port: number;
}

export function httpServer(
  t: TestContext,
  handle: RequestListener,
): Promise<Listener & { readonly server: HttpServer }> {
  return listen(t, createHttpServer(handle));
}

export function httpsServer(t: TestContext, certificate: Certificate, handle: RequestListener): Promise<Listener> {
  return listen(t, createHttpsServer(certificate, handle));
}

/** Speaks whatever `handle` writes. */
export function tcpServer(t: TestContext, handle: (socket: Socket) => void): Promise<Listener> {
  return listen(t, createTcpServer(handle));
}

/** A port at which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const STOPPED_LISTENER = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.stdout.write(String(server.address().port) + '\\n', () => process.kill(process.pid, 'SIGSTOP'));
  });`;
const FILLERS = 4;

/** A port whose queue is full and never emptied: Linux drops what comes next, as a firewall does. */
export async function fullPort(t: TestContext): Promise<number> {
  const child = spawn(process.execPath, ['--eval', STOPPED_LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  const fillers = Array.from({ length: FILLERS }, () => connect(port, HOST).on('error', () => {}));
  t.after(() => {
    for (const filler of fillers) filler.destroy();
  });
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
  return port;
}

async function listen<S extends Server>(t: TestContext, server: S): Promise<Listener & { readonly server: S }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.listen(0, HOST);
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, server };
}
