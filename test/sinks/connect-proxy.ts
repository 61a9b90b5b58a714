// A CONNECT proxy on the loopback address that takes every name for this machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { Certificate } from '../host/certificates.ts';
import { HOST } from '../host/servers.ts';

export interface ProxyManners {
  /** `user:password` that it wants. */
  readonly credentials?: string;
  /** The status of every answer. */
  readonly refuse?: number;
  readonly silent?: boolean;
  /** The way to the proxy is TLS. */
  readonly certificate?: Certificate;
}

/** `targets`: what it was asked to connect to, `name:port`. */
export async function connectProxy(
  t: TestContext,
  manners: ProxyManners = {},
): Promise<{ readonly port: number; readonly targets: string[] }> {
  const { credentials, refuse, silent = false, certificate } = manners;
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
  };
  const proxy = certificate === undefined ? createServer() : createSecureServer(certificate);
  // Whatever is not CONNECT is not for this proxy.
  proxy.on('request', (request: IncomingMessage, response) => {
    targets.push(`${request.method} ${request.url}`);
    response.writeHead(400).end();
  });
  proxy.on('connection', keep);
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    const target = request.url ?? '';
    targets.push(target);
    keep(socket);
    if (silent) return;
    const wanted = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    const status = refuse ?? (request.headers['proxy-authorization'] === wanted ? 200 : 407);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(Number(target.split(':').at(-1)), HOST, () =>
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    keep(upstream);
    upstream.pipe(socket).pipe(upstream);
  });
  proxy.listen(0, HOST);
  await once(proxy, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { port: (proxy.address() as AddressInfo).port, targets };
}
