// A CONNECT proxy on the loopback address. Every tunnel leads to the same port, whatever was asked for.
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { HOST, httpServer } from './servers.ts';

export interface ConnectProxy {
  readonly port: number;
  /** Targets of CONNECT, in order. */
  readonly asked: readonly string[];
}

/** `status` null: it never answers. `authorization`: what it wants to see. */
export async function connectProxy(
  t: TestContext,
  { port, status = 200, authorization }: { port: number; status?: number | null; authorization?: string },
): Promise<ConnectProxy> {
  const asked: string[] = [];
  const listener = await httpServer(t, (_asked, answer) => answer.writeHead(405).end());
  listener.server.on('connect', (request, client) => {
    asked.push(request.url ?? '');
    client.on('error', () => {});
    if (status === null) return;
    if (authorization !== undefined && request.headers['proxy-authorization'] !== authorization) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n');
    } else if (status === 200) {
      const beyond = connect(port, HOST, () => client.write('HTTP/1.1 200 Connection established\r\n\r\n'));
      beyond.on('error', () => client.destroy());
      client.on('close', () => beyond.destroy());
      client.pipe(beyond).pipe(client);
    } else client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 2\r\n\r\nno`);
  });
  return { port: listener.port, asked };
}
