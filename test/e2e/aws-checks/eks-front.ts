// Stands before moto and adds what its EKS does not know: security groups and access mode of a cluster, access entries.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Eks {
  readonly url: string;
  /** What `describe-cluster` tells besides. */
  vpcConfig: Readonly<Record<string, unknown>>;
  authenticationMode: 'API' | 'API_AND_CONFIG_MAP' | 'CONFIG_MAP';
  /** Principal → type. */
  entries: Readonly<Record<string, string>>;
}

export async function startEksFront(t: Pick<TestContext, 'after'>, moto: string): Promise<Eks> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const eks: Eks = { url: `http://127.0.0.1:${port}`, vpcConfig: {}, authenticationMode: 'API', entries: {} };
  return eks;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', moto).pathname;
    const [, principal] = /^\/clusters\/[^/]+\/access-entries(?:\/(?<principal>.+))?$/.exec(path) ?? [path, null];
    if (principal === undefined) send(outgoing, { accessEntries: Object.keys(eks.entries) });
    else if (principal !== null) {
      const principalArn = decodeURIComponent(principal);
      send(outgoing, { accessEntry: { principalArn, type: eks.entries[principalArn] } });
    } else if (incoming.method === 'GET' && /^\/clusters\/[^/]+$/.test(path)) {
      const whole = await fetch(new URL(incoming.url!, moto), { headers: incoming.headers as Record<string, string> });
      if (!whole.ok) {
        outgoing.writeHead(whole.status, { ...Object.fromEntries(whole.headers), connection: 'close' });
        outgoing.end(await whole.text());
        return;
      }
      const { cluster } = (await whole.json()) as { cluster: { resourcesVpcConfig: object } };
      const resourcesVpcConfig = { ...cluster.resourcesVpcConfig, ...eks.vpcConfig };
      const accessConfig = { authenticationMode: eks.authenticationMode };
      send(outgoing, { cluster: { ...cluster, resourcesVpcConfig, accessConfig } });
    } else {
      const onward = request(new URL(incoming.url ?? '/', moto), {
        method: incoming.method ?? 'GET',
        headers: incoming.headers,
      });
      onward.on('response', (given) => {
        outgoing.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    }
  }
}

function send(outgoing: ServerResponse, body: object): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(body));
}
