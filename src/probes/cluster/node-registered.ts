// Is this node registered, and Ready? Asks the API server as the kubelet does, with a token for this cluster. The token goes
// only to the endpoint of the node's own configuration, over TLS verified with the CA of the same file, and into no answer.
import type { HttpAnswer } from '../../host/network/network.ts';
import { findClusterEndpoint, type ClusterEndpoint } from './cluster-endpoint.ts';
import { compactFacts } from '../compact-facts.ts';
import { failedRequest, placeFacts, type RequestCode, requestAnswers } from '../connection-answers.ts';
import { findCredentials } from '../../aws/instance-credentials.ts';
import { MetadataError, openMetadata } from '../../aws/instance-metadata.ts';
import { nodeFacts, refusedMessage } from './node-facts.ts';
import { nodeToken } from './node-token.ts';
import type { Probe, ProbeAnswer, ProbeContext } from '../probe.ts';

type Refusal = 'unauthorized' | 'forbidden' | 'not-found' | 'server-error';
type Skip = 'endpoint-unknown' | 'cluster-unknown' | 'node-name-unknown' | 'region-unknown' | 'no-credentials';
type Code = RequestCode | Refusal | Skip | 'ok' | 'not-ready';

const REQUEST_LIMIT_MS = 2_000;
/** A node with many images. */
const BODY_MAX_BYTES = 1024 * 1024;
const NODE_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const REFUSALS: Readonly<Record<number, Refusal>> = { 401: 'unauthorized', 403: 'forbidden', 404: 'not-found' };

export const nodeRegistered: Probe<Code> = {
  name: 'node-registered',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: 'The API server knows the node {node_name}, and it is Ready.' },
    ...requestAnswers('endpoint_host'),
    'not-ready': {
      outcome: 'fail',
      sentence: 'The API server knows the node {node_name}, but it is not Ready: {ready_reason} ({ready_message}).',
    },
    unauthorized: {
      outcome: 'fail',
      sentence:
        "The API server does not accept this node's credentials (401): its role is not mapped, or is mapped to another name.",
    },
    forbidden: {
      outcome: 'fail',
      sentence:
        'The API server knows who this node is, but does not let it read the node {node_name} (403): its role is mapped wrongly ({message}).',
    },
    'not-found': {
      outcome: 'fail',
      sentence:
        'The API server accepts this node, but there is no node {node_name}: it never registered, or was deleted.',
    },
    'server-error': { outcome: 'fail', sentence: 'The API server fails ({reason}).' },
    'endpoint-unknown': {
      outcome: 'skipped',
      sentence: 'The API server was not asked: no file of this node names both its endpoint and its CA.',
    },
    'cluster-unknown': {
      outcome: 'skipped',
      sentence: 'The API server was not asked: the file with its endpoint does not name the cluster.',
    },
    'node-name-unknown': {
      outcome: 'skipped',
      sentence: 'The API server was not asked: it is not known what this node is called.',
    },
    'region-unknown': {
      outcome: 'skipped',
      sentence: 'The API server was not asked: the region of this node is not known.',
    },
    'no-credentials': {
      outcome: 'skipped',
      sentence: 'The API server was not asked: this instance has no credentials.',
    },
  },
  async ask(context) {
    const endpoint = await findClusterEndpoint(context.system);
    if (endpoint === null) return { code: 'endpoint-unknown', facts: {} };
    const nodeName = endpoint.nodeName ?? context.known.get('node_name') ?? context.known.get('private_dns_name') ?? '';
    if (!NODE_NAME.test(nodeName)) return { code: 'node-name-unknown', facts: {} };
    const token = await makeToken(endpoint, context);
    if (typeof token !== 'string') return { code: token.skip, facts: {} };
    return askServer({ endpoint, nodeName, token }, context);
  },
};

async function makeToken(
  { cluster }: ClusterEndpoint,
  { host, network, known, signal }: ProbeContext,
): Promise<string | { readonly skip: Skip }> {
  if (cluster === null) return { skip: 'cluster-unknown' };
  try {
    const atMs = host.clock.wallMs();
    const found = await findCredentials(await openMetadata(network, signal), atMs);
    if (found.kind !== 'found') return { skip: 'no-credentials' };
    return (
      nodeToken({ credentials: found.credentials, cluster, region: known.get('region') ?? '', atMs }) ?? {
        skip: 'region-unknown',
      }
    );
  } catch (error) {
    if (error instanceof MetadataError) return { skip: 'no-credentials' };
    throw error;
  }
}

interface Question {
  readonly endpoint: ClusterEndpoint;
  readonly nodeName: string;
  readonly token: string;
}

async function askServer(
  { endpoint, nodeName, token }: Question,
  { network, signal }: ProbeContext,
): Promise<ProbeAnswer<Code>> {
  const { target, proxy } = endpoint;
  const facts = { endpoint_host: target.host, node_name: nodeName };
  try {
    const answer = await network.request({
      ...target,
      method: 'GET',
      path: `/api/v1/nodes/${nodeName}`,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      bodyMaxBytes: BODY_MAX_BYTES,
      timeLimitMs: REQUEST_LIMIT_MS,
      signal,
    });
    // Whoever sends the token back wants it to be shown somewhere.
    const judgement: ProbeAnswer<Code> = answer.body.includes(token)
      ? { code: 'unexpected-answer', facts: { reason: 'echo' } }
      : judged(answer);
    return { code: judgement.code, facts: { ...facts, ...placeFacts(answer.address, proxy), ...judgement.facts } };
  } catch (error) {
    const failed = failedRequest(error, proxy);
    return { code: failed.code, facts: { ...facts, ...failed.facts } };
  }
}

function judged({ status, body }: HttpAnswer): ProbeAnswer<Code> {
  if (status === 200) {
    const found = nodeFacts(body);
    return found === null
      ? { code: 'unexpected-answer', facts: { reason: 'no node' } }
      : { code: found.isReady ? 'ok' : 'not-ready', facts: found.facts };
  }
  const refusal = REFUSALS[status] ?? (status >= 500 ? 'server-error' : null);
  if (refusal === null) return { code: 'unexpected-answer', facts: { reason: String(status) } };
  return {
    code: refusal,
    facts: compactFacts({ reason: String(status), message: refusal === 'forbidden' ? refusedMessage(body) : null }),
  };
}
