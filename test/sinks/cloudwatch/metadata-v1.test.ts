// Credentials come from the second version of the metadata service or not at all: whatever its token call answers, nothing is
// asked for without a token.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogsClient } from '../../../src/sinks/cloudwatch/client.ts';
import type { ConnectionOptions } from '../../../src/sinks/cloudwatch/connections.ts';
import { HOST, httpServer } from '../../host/servers.ts';

const CREDENTIALS = JSON.stringify({
  Code: 'Success',
  AccessKeyId: 'ASIAEXAMPLE000000000',
  SecretAccessKey: 'example',
  Token: 'example',
  Expiration: '2099-01-01T00:00:00Z',
});
const OWN = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_EC2_METADATA_DISABLED',
  'AWS_EC2_METADATA_V1_DISABLED',
];

for (const [status, v1Disabled] of [
  [400, undefined],
  [401, undefined],
  [403, undefined],
  [404, undefined],
  [405, undefined],
  [500, undefined],
  [503, undefined],
  [403, 'false'],
] as const)
  test(`a token call that answers ${status} ends it (AWS_EC2_METADATA_V1_DISABLED=${v1Disabled ?? ''})`, async (t) => {
    const asked: string[] = [];
    const { port } = await httpServer(t, (request, response) => {
      asked.push(
        `${request.method} ${request.headers['x-aws-ec2-metadata-token'] === undefined ? 'without' : 'with'} token`,
      );
      if (request.method === 'PUT') response.writeHead(status).end();
      else response.end(request.url!.endsWith('/') ? 'node-role' : CREDENTIALS);
    });
    const before = Object.fromEntries(
      [...OWN, 'AWS_EC2_METADATA_SERVICE_ENDPOINT'].map((name) => [name, process.env[name]]),
    );
    t.after(() => {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    for (const name of OWN) delete process.env[name];
    if (v1Disabled !== undefined) process.env['AWS_EC2_METADATA_V1_DISABLED'] = v1Disabled;
    process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = `http://${HOST}:${port}`;

    const unused = { network: null, proxy: null, secureContext: null, hear: () => {} } as unknown as ConnectionOptions;
    const client = createLogsClient({
      ...unused,
      region: 'eu-west-1',
      group: 'group',
      stream: 'stream',
      clockOffsetMs: 0,
    });
    t.after(() => client.close());
    await assert.rejects(client.createStream(AbortSignal.timeout(10_000)), (error: Error) =>
      /Credentials|Provider|IMDS|metadata|token/i.test(`${error.name} ${error.message}`),
    );
    assert.ok(asked.length > 0 && asked.every((call) => call === 'PUT without token'), asked.join(', '));
  });
