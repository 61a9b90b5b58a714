// Does the cluster's API server answer: name, TCP, and TLS by the cluster's own CA? Nothing is sent.
import { findClusterEndpoint } from './cluster-endpoint.ts';
import { type ConnectionCode, connectionAnswers, failedConnection, placeFacts } from '../connection-answers.ts';
import type { Probe } from '../probe.ts';

type Code = ConnectionCode | 'ok' | 'endpoint-unknown';

const CONNECT_LIMIT_MS = 2_500;

export const clusterEndpointReachable: Probe<Code> = {
  name: 'cluster-endpoint-reachable',
  stage: 'questions',
  answers: {
    ok: {
      outcome: 'ok',
      sentence:
        "{endpoint_host} answers (at {address}) ({address_kind} address) (through the proxy {proxy}), and its certificate is the cluster's.",
    },
    ...connectionAnswers('endpoint_host'),
    'tls-unknown-ca': {
      outcome: 'fail',
      sentence:
        "The certificate of {endpoint_host} (at {address}) (through the proxy {proxy}) does not come from the cluster's CA that this node was given.",
    },
    'endpoint-unknown': {
      outcome: 'skipped',
      sentence: 'No file of this node names both an endpoint of the cluster and its CA.',
    },
  },
  async ask({ system, network, signal }) {
    const endpoint = await findClusterEndpoint(system);
    if (endpoint === null) return { code: 'endpoint-unknown', facts: {} };
    const { target, proxy } = endpoint;
    try {
      const { address } = await network.connect({ ...target, timeLimitMs: CONNECT_LIMIT_MS, signal });
      return { code: 'ok', facts: { endpoint_host: target.host, ...placeFacts(address, proxy) } };
    } catch (error) {
      const { code, facts } = failedConnection(error, proxy);
      return { code, facts: { endpoint_host: target.host, ...facts } };
    }
  },
};
