import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { test, type TestContext } from 'node:test';
import { createNetwork } from '../../src/host/network/create-network.ts';
import type { ProbeAnswer } from '../../src/probes/probe.ts';
import { nodeRegistered } from '../../src/probes/cluster/node-registered.ts';
import { type Certificate, makeAuthority, makeServer } from '../host/certificates.ts';
import { HOST, httpServer, httpsServer } from '../host/servers.ts';
import { clusterFiles, NODE_NAME } from './cluster-files.ts';
import { ask } from './fakes.ts';
import { ROLE_ITEMS, TOKEN } from './fake-network.ts';

const authority = makeAuthority('kubernetes');
const server = (): Certificate => makeServer(authority, 'kubernetes', [HOST]);

async function register(
  t: TestContext,
  certificate: Certificate,
  handle: RequestListener,
): Promise<ProbeAnswer | undefined> {
  const metadata = await httpServer(t, (asked, answer) => {
    const item = asked.method === 'PUT' ? TOKEN : ROLE_ITEMS[asked.url?.replace('/latest/', '') ?? ''];
    answer.writeHead(item === undefined ? 404 : 200).end(item);
  });
  const api = await httpsServer(t, certificate, handle);
  const network = createNetwork({
    environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://${HOST}:${metadata.port}` },
  });
  const files = clusterFiles({ server: `https://${HOST}:${api.port}`, ca: authority.cert });
  const [answer] = await ask(nodeRegistered, { files, known: { region: 'us-west-2' }, network, wallMs: Date.now() });
  return answer;
}

test('asks a real API server', async (t) => {
  let seen: IncomingMessage | undefined;
  const answer = await register(t, server(), (asked, response) => {
    seen = asked;
    response.end(
      JSON.stringify({
        kind: 'Node',
        status: {
          images: [{ names: ['x'.repeat(100_000)] }],
          conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
        },
      }),
    );
  });
  assert.deepEqual(
    [answer?.code, answer?.facts['ready_reason'], answer?.facts['address']],
    ['ok', 'KubeletReady', HOST],
  );
  assert.equal(seen?.url, `/api/v1/nodes/${NODE_NAME}`);
  assert.match(seen?.headers.authorization ?? '', /^Bearer k8s-aws-v1\.[\w-]{200,}$/);
});

test('the token does not leave for a server with another CA, or with a certificate for another name', async (t) => {
  const wrong = makeAuthority('kubernetes');
  for (const [certificate, code] of [
    [makeServer(wrong, 'kubernetes', [HOST]), 'tls-unknown-ca'],
    [makeServer(authority, 'kubernetes', ['evil.example']), 'tls-name-mismatch'],
  ] as const) {
    let asked = 0;
    const answer = await register(t, certificate, (_asked, response) => {
      asked++;
      response.end();
    });
    assert.deepEqual([answer?.code, asked], [code, 0]);
  }
});

test('the token does not follow a redirect', async (t) => {
  let elsewhere = 0;
  const lure = await httpsServer(t, server(), (_asked, response) => {
    elsewhere++;
    response.end();
  });
  const answer = await register(t, server(), (_asked, response) =>
    response.writeHead(307, { location: `https://${HOST}:${lure.port}/` }).end(),
  );
  assert.deepEqual([answer?.code, answer?.facts['reason'], elsewhere], ['unexpected-answer', '307', 0]);
});
