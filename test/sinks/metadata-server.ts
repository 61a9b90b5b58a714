// A stand-in for the instance metadata service on the loopback address: tokens, the credentials of a role, the region.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Metadata {
  readonly url: string;
  readonly requests: string[];
  /** Access key ids in the order in which they are handed out; the last one stays. */
  keys: string[];
  /** `no-role`: 404; `silent`: no answer; `reset`: ends in the middle of an answer. */
  mode: 'ordinary' | 'no-role' | 'silent' | 'reset';
  region: string;
}

export async function metadataServer(t: Pick<TestContext, 'after'>): Promise<Metadata> {
  const server: Server = createServer((request, response) => {
    metadata.requests.push(`${request.method} ${request.url}`);
    if (metadata.mode === 'silent') return;
    if (request.method === 'PUT') return void response.end('token');
    if (request.headers['x-aws-ec2-metadata-token'] !== 'token') return void response.writeHead(401).end();
    if (request.url === '/latest/meta-data/placement/region') return void response.end(metadata.region);
    if (metadata.mode === 'no-role') return void response.writeHead(404).end();
    if (metadata.mode === 'reset') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.resetAndDestroy());
      return;
    }
    if (request.url === '/latest/meta-data/iam/security-credentials/') return void response.end('node-role');
    const key = metadata.keys.length > 1 ? metadata.keys.shift() : metadata.keys[0];
    response.end(
      JSON.stringify({
        Code: 'Success',
        AccessKeyId: key,
        SecretAccessKey: 'secret',
        Token: 'session',
        Expiration: '2099-01-01T00:00:00Z',
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const metadata: Metadata = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    keys: ['ASIAEXAMPLEEXAMPLE00'],
    mode: 'ordinary',
    region: 'us-west-2',
  };
  return metadata;
}
