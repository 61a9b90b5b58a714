// A CloudWatch Logs of our own for what no other can do: it keeps the rules of the API for the four calls that we make, and
// answers the next calls in whatever wrong way a test asks for.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Certificate } from '../host/certificates.ts';
import { HOST, httpServer, httpsServer } from '../host/servers.ts';

export type Action = 'CreateLogGroup' | 'CreateLogStream' | 'PutRetentionPolicy' | 'PutLogEvents';

/** How one call is answered instead of rightly. `status` with `type`: an error of the service. */
export type Wrong =
  | 'silent'
  | 'reset'
  | 'reset-in-body'
  | 'slow-body'
  | 'endless-body'
  | 'half-headers'
  | 'garbage'
  | 'empty'
  | 'redirect'
  | { readonly status: number; readonly type: string | null; readonly message?: string };

export interface StoredEvent {
  readonly timestamp: number;
  readonly message: string;
}

export interface Sifted {
  readonly accepted: StoredEvent[];
  readonly rejected: object | null;
}

export interface Call {
  readonly action: string;
  readonly accessKey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface LogsServer {
  readonly url: string;
  readonly port: number;
  readonly calls: Call[];
  /** `group/stream` → what it holds. */
  readonly streams: Map<string, StoredEvent[]>;
  readonly groups: Map<string, number | null>;
  /** Actions that answer AccessDeniedException. */
  readonly denied: Set<Action>;
  /** What its clock is ahead of the machine's. */
  clockOffsetMs: number;
  /** What becomes of the events of one call. */
  place: (events: readonly StoredEvent[], nowMs: number, pastMaxMs?: number) => Sifted;
  /** The next calls, one each; of one action only if it is given. */
  fail(wrongs: readonly Wrong[], action?: Action): void;
  messages(): Record<string, unknown>[];
}

const SIGNATURE_OFF_MS = 5 * 60_000;
const PAST_MAX_MS = 14 * 24 * 60 * 60_000;
const FUTURE_MAX_MS = 2 * 60 * 60_000;
const SPAN_MAX_MS = 24 * 60 * 60_000;
const BATCH_MAX_BYTES = 1_048_576;

class Fault extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export async function logsServer(
  t: TestContext,
  certificate: Certificate | null = null,
  name: string = HOST,
): Promise<LogsServer> {
  const wrongs: { readonly wrong: Wrong; readonly action: Action | undefined }[] = [];
  const streams = new Map<string, StoredEvent[]>();
  const groups = new Map<string, number | null>();
  const denied = new Set<Action>();
  const calls: Call[] = [];
  const nowMs = (): number => Date.now() + server.clockOffsetMs;

  const handle: RequestListener = (request, response) =>
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const action = String(request.headers['x-amz-target']).replace('Logs_20140328.', '') as Action;
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    calls.push({
      action,
      body,
      accessKey: /Credential=(?<key>[^/]+)/.exec(String(request.headers.authorization))?.groups?.['key'] ?? '',
    });
    response.setHeader('date', new Date(nowMs()).toUTCString());
    const index = wrongs.findIndex((entry) => entry.action === undefined || entry.action === action);
    const [entry] = index === -1 ? [] : wrongs.splice(index, 1);
    if (entry !== undefined) return misbehave(entry.wrong, request.socket, response);
    try {
      checkSignature(request, nowMs());
      if (denied.has(action))
        throw new Fault(
          'AccessDeniedException',
          `User: arn:aws:sts::111122223333:assumed-role/node is not authorized to perform: logs:${action}`,
        );
      send(response, 200, perform(action, body, nowMs()));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      send(response, 400, { __type: error.type, message: error.message });
    }
  };

  const perform = (action: Action, body: Record<string, unknown>, now: number): object => {
    const group = String(body['logGroupName']);
    const stream = `${group}/${String(body['logStreamName'])}`;
    switch (action) {
      case 'CreateLogGroup':
        if (groups.has(group))
          throw new Fault('ResourceAlreadyExistsException', 'The specified log group already exists');
        groups.set(group, null);
        return {};
      case 'PutRetentionPolicy':
        groups.set(group, Number(body['retentionInDays']));
        return {};
      case 'CreateLogStream':
        if (!groups.has(group)) throw new Fault('ResourceNotFoundException', 'The specified log group does not exist.');
        if (streams.has(stream))
          throw new Fault('ResourceAlreadyExistsException', 'The specified log stream already exists');
        streams.set(stream, []);
        return {};
      case 'PutLogEvents': {
        const held = streams.get(stream);
        if (held === undefined)
          throw new Fault('ResourceNotFoundException', 'The specified log stream does not exist.');
        const { accepted, rejected } = server.place(body['logEvents'] as StoredEvent[], now);
        held.push(...accepted);
        return { nextSequenceToken: '0', ...(rejected === null ? {} : { rejectedLogEventsInfo: rejected }) };
      }
    }
  };

  const { port } = await (certificate === null ? httpServer(t, handle) : httpsServer(t, certificate, handle));
  const server: LogsServer = {
    url: `${certificate === null ? 'http' : 'https'}://${name}:${port}`,
    port,
    calls,
    streams,
    groups,
    denied,
    clockOffsetMs: 0,
    place: sift,
    fail: (given, action) => wrongs.push(...given.map((wrong) => ({ wrong, action }))),
    messages: () => [...streams.values()].flat().map(({ message }) => JSON.parse(message) as Record<string, unknown>),
  };
  return server;
}

function checkSignature(request: IncomingMessage, nowMs: number): void {
  const basic = String(request.headers['x-amz-date']);
  const signedMs = Date.parse(
    [
      basic.slice(0, 4),
      '-',
      basic.slice(4, 6),
      '-',
      basic.slice(6, 11),
      ':',
      basic.slice(11, 13),
      ':',
      basic.slice(13),
    ].join(''),
  );
  if (!(Math.abs(signedMs - nowMs) <= SIGNATURE_OFF_MS))
    throw new Fault('InvalidSignatureException', 'Signature expired: it is now earlier than it should be');
}

/** The rules of PutLogEvents: the order, the span and the size of a batch, and the age of each event. */
function sift(events: readonly StoredEvent[], nowMs: number, pastMaxMs: number = PAST_MAX_MS): Sifted {
  const bytes = events.reduce((sum, { message }) => sum + Buffer.byteLength(message) + 26, 0);
  const inOrder = events.every((event, index) => index === 0 || event.timestamp >= events[index - 1]!.timestamp);
  const isOld = ({ timestamp }: StoredEvent): boolean => timestamp < nowMs - pastMaxMs;
  const isNew = ({ timestamp }: StoredEvent): boolean => timestamp > nowMs + FUTURE_MAX_MS;
  const accepted = events.filter((event) => !isOld(event) && !isNew(event));
  const span = accepted.length === 0 ? 0 : accepted.at(-1)!.timestamp - accepted[0]!.timestamp;
  if (events.length === 0 || events.length > 10_000 || bytes > BATCH_MAX_BYTES || !inOrder || span > SPAN_MAX_MS) {
    throw new Fault(
      'InvalidParameterException',
      `${events.length} events, ${bytes} bytes, ${span} ms, ${inOrder ? 'in' : 'out of'} order`,
    );
  }
  const old = events.findLastIndex(isOld);
  const young = events.findIndex(isNew);
  const rejected = {
    ...(old === -1 ? {} : { tooOldLogEventEndIndex: old + 1 }),
    ...(young === -1 ? {} : { tooNewLogEventStartIndex: young }),
  };
  return { accepted, rejected: accepted.length === events.length ? null : rejected };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': '01234567-89ab-cdef-0123-456789abcdef',
  });
  response.end(JSON.stringify(body));
}

function misbehave(wrong: Wrong, socket: Socket, response: ServerResponse): void {
  switch (wrong) {
    case 'silent':
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'half-headers':
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: appl');
      return;
    case 'reset-in-body':
      response.writeHead(200, {
        'content-type': 'application/x-amz-json-1.1',
        'content-length': '1000',
        'x-amzn-requestid': '1',
      });
      response.write('{"nextSequenceToken"', () => socket.resetAndDestroy());
      return;
    case 'slow-body':
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': '1' });
      response.write('{');
      repeat(response, ' ', 200);
      return;
    case 'endless-body':
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': '1' });
      repeat(response, 'x'.repeat(64 * 1024), 1);
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>Please sign in to this network</html>');
      return;
    case 'empty':
      response.writeHead(200);
      response.end();
      return;
    case 'redirect':
      response.writeHead(302, { location: 'http://127.0.0.1:1/' });
      response.end();
      return;
    default:
      if (wrong.type === null) {
        response.writeHead(wrong.status, { 'content-type': 'text/html' });
        response.end('<html>error</html>');
      } else send(response, wrong.status, { __type: wrong.type, message: wrong.message ?? 'as the test asked' });
  }
}

function repeat(response: ServerResponse, chunk: string, everyMs: number): void {
  const timer = setInterval(() => response.write(chunk), everyMs);
  response.on('close', () => clearInterval(timer));
}
