// Sends one request over a connection of its own and reads the bounded answer. Follows no redirect and keeps nothing alive.
import { type IncomingMessage, request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Attempt } from './attempt.ts';
import { networkError } from './network-codes.ts';
import { type HttpAnswer, type HttpRequest, NetworkError } from './network.ts';

const HEADER_MAX_BYTES = 16 * 1024;
const BODY_MAX_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** The socket is destroyed at the end of the attempt. @throws NetworkError */
export function sendRequest(socket: Socket, asked: HttpRequest, within: Attempt): Promise<HttpAnswer> {
  return within.during('answer-timeout', ({ resolve, reject }) => {
    const fail = (error: unknown): void => reject(networkError('answer', error, within.address));
    const sending = request({
      createConnection: () => socket,
      method: asked.method,
      path: asked.path,
      setHost: false,
      headers: { host: hostHeader(asked), connection: 'close', ...asked.headers },
      maxHeaderSize: HEADER_MAX_BYTES,
    });
    sending.on('error', fail);
    // A server that wants to change the protocol has not answered.
    sending.on('upgrade', () => fail({ code: 'upgrade' }));
    sending.on('response', (answer) => {
      readBody(answer, asked.bodyMaxBytes ?? BODY_MAX_BYTES, (error, body) => {
        if (error === null) resolve(toAnswer(answer, body.toString(asked.bodyEncoding ?? 'utf8'), within));
        else if (error === 'too-large')
          reject(new NetworkError('answer-too-large', 'body', { address: within.address }));
        else fail(error);
      });
    });
    sending.end(asked.body);
  });
}

function readBody(
  answer: IncomingMessage,
  maxBytes: number,
  done: (error: Error | 'too-large' | null, body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) done('too-large', NOTHING);
    else chunks.push(chunk);
  });
  answer.on('error', (error) => done(error, NOTHING));
  answer.on('end', () => done(null, Buffer.concat(chunks)));
}

function toAnswer(answer: IncomingMessage, body: string, within: Attempt): HttpAnswer {
  const dateMs = Date.parse(answer.headers.date ?? '');
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    body,
    dateMs: Number.isNaN(dateMs) ? null : dateMs,
    address: within.address ?? '',
    elapsedMs: within.elapsedMs(),
  };
}

/** The port stands in it only where it is not the usual one: signed requests depend on it. */
function hostHeader({ host, port, trust }: HttpRequest): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return port === (trust === null ? 80 : 443) ? name : `${name}:${port}`;
}
