// A log service for tests that takes events as JSON, records what it took, and can be told to fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ShippedEvent } from '../../src/sinks/shipper.ts';

export interface RecordingServer {
  readonly url: string;
  readonly taken: ShippedEvent[];
  /** Asked for each call; false: 503 and nothing is recorded. */
  takes: () => boolean;
}

export async function recordingServer(t: TestContext): Promise<RecordingServer> {
  const taken: ShippedEvent[] = [];
  const record: { -readonly [key in keyof RecordingServer]: RecordingServer[key] } = {
    url: '',
    taken,
    takes: () => true,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (record.takes()) taken.push(...(JSON.parse(body) as ShippedEvent[]));
    else response.statusCode = 503;
    response.end();
  };
  // A client may be killed in the middle of its request.
  const server = createServer((request, response) => void answer(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  record.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return record;
}
