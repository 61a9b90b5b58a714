// All endpoints of a node's network in one program, run in the node's network namespace: TLS with a certificate for whatever name is
// asked for, and the API server's answer about the node. Argument: the file with VpcData, read again for every request, which is
// a line on standard output: method, host, path, status, and what was sent as proof of identity.
import { createReadStream, readFileSync } from 'node:fs';
import { type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { makeAuthority, makeServer, type Validity } from '../host/certificates.ts';
import { judgeToken } from './presigned-token.ts';
import { AWS_AUTHORITY, CLUSTER_AUTHORITY, CLUSTER_HOST, type NodeAnswer, type TlsFault, type VpcData } from './vpc.ts';

const HTTPS = 443;
const NODE_PATH = /^\/api\/v1\/nodes\/(?<name>[a-z0-9.-]+)/;
const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  500: 'InternalError',
};
const FORBIDDEN =
  'nodes "NODE" is forbidden: User "system:node:another" cannot get resource "nodes" in API group "" at the cluster scope';
const NO_NETWORK =
  'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized';
const DAY_MS = 86_400_000;
const VALIDITIES: Readonly<Record<string, Validity>> = {
  expired: { to: new Date(Date.now() - 1_000) },
  'not-yet-valid': { from: new Date(Date.now() + DAY_MS), to: new Date(Date.now() + 2 * DAY_MS) },
};

const CALLER = `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
<Arn>arn:aws:sts::111122223333:assumed-role/prod-blue-node-role/i-0123456789abcdef0</Arn><UserId>AROAEXAMPLE:i-0123456789abcdef0</UserId>
<Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;

const [file = ''] = process.argv.slice(2);
const { addresses, authorities } = read();
const clusterHost = CLUSTER_HOST.toLowerCase();
for (const address of addresses) createServer({ SNICallback: present }, answer).listen(HTTPS, address);

function read(): VpcData {
  return JSON.parse(readFileSync(file, 'utf8')) as VpcData;
}

function present(
  name: string,
  done: (error: Error | null, context?: ReturnType<typeof createSecureContext>) => void,
): void {
  const [authority, issuer] =
    name.toLowerCase() === clusterHost ? [authorities.cluster, CLUSTER_AUTHORITY] : [authorities.aws, AWS_AUTHORITY];
  const fault = faultOf(name);
  if (fault === 'silent') return;
  if (fault === 'cut') return done(new Error('as the test wants it'));
  const signer = fault === 'wrong-ca' ? makeAuthority(issuer) : authority;
  done(
    null,
    createSecureContext(
      makeServer(signer, issuer, [fault === 'wrong-name' ? 'another.example' : name], VALIDITIES[fault ?? 'none']),
    ),
  );
}

function faultOf(name: string): TlsFault | undefined {
  return Object.entries(read().vpc.faults ?? {}).find(([host]) => host.toLowerCase() === name.toLowerCase())?.[1];
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const host = (request.headers.host ?? '').toLowerCase();
  const { logs, s3, bucket = {} } = read().vpc;
  const file = host.startsWith('s3.') ? bucket[request.url ?? ''] : undefined;
  if (file !== undefined) return void createReadStream(file).pipe(response);
  if (s3 !== undefined && host.startsWith('s3.')) return handOn(request, response, s3);
  if (logs !== undefined && host.startsWith('logs.')) return handOn(request, response, logs);
  const { status, body, location } = answerOf(host, request);
  console.log(`${request.method} ${host} ${request.url} ${status} ${request.headers.authorization ?? '-'}`);
  if (status === 0) return;
  const [type, text] = typeof body === 'string' ? ['text/xml', body] : ['application/json', JSON.stringify(body)];
  request
    .resume()
    .once('end', () =>
      response.writeHead(status, { 'content-type': type, ...(location === undefined ? {} : { location }) }).end(text),
    );
}

function handOn(request: IncomingMessage, response: ServerResponse, socketPath: string): void {
  const { method = 'POST', url = '/', headers } = request;
  const end = (): void => void response.destroy();
  const onward = sendRequest({ socketPath, method, path: url, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.once('error', end).pipe(response);
  });
  request.pipe(onward.once('error', end));
}

interface Answer {
  /** 0: no answer ever. */
  readonly status: number;
  /** A text is XML, anything else becomes JSON. */
  readonly body: unknown;
  readonly location?: string | undefined;
}

/** STS says who the credentials belong to, CloudWatch Logs takes everything; nobody asks the others for more than a connection. */
function answerOf(host: string, request: IncomingMessage): Answer {
  if (host.startsWith(clusterHost)) return clusterAnswer(request);
  if (host.startsWith('sts.')) return { status: 200, body: CALLER };
  return { status: 200, body: host.startsWith('logs.') ? { nextSequenceToken: '0' } : {} };
}

function clusterAnswer({ url = '', headers }: IncomingMessage): Answer {
  const name = NODE_PATH.exec(url)?.groups?.['name'];
  if (name === undefined) return { status: 200, body: {} };
  const complaint = judgeToken(headers.authorization, Date.now());
  if (complaint !== null) console.log(`the token is refused: ${complaint}`);
  const {
    status,
    isReady = false,
    location,
    echoes = false,
  }: NodeAnswer = complaint === null ? (read().vpc.node ?? { status: 404 }) : { status: 401 };
  const echo = echoes ? headers.authorization : undefined;
  if (status !== 200) {
    const reason = REASONS[status];
    const message = reason === 'Forbidden' ? FORBIDDEN.replace('NODE', name) : reason;
    return {
      status,
      location,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code: status, echo },
    };
  }
  const condition = isReady
    ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
    : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: NO_NETWORK };
  const labels = { 'node.kubernetes.io/instance-type': 'm5.large', 'karpenter.sh/nodepool': 'general' };
  return {
    status,
    body: {
      kind: 'Node',
      apiVersion: 'v1',
      metadata: { name, labels, annotations: { echo } },
      spec: {},
      status: { conditions: [condition] },
    },
  };
}
