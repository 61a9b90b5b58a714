// Does each AWS endpoint that a node needs answer: name, TCP, TLS? One probe a service, all from one table; nothing is sent.
import { proxyFor } from '../../host/network/proxy.ts';
import { compactFacts } from '../compact-facts.ts';
import { type ConnectionCode, connectionAnswers, failedConnection, placeFacts } from '../connection-answers.ts';
import { endpointHost, type Service, SERVICES, variantOf } from '../../aws/endpoints.ts';
import type { Probe, ProbeAnswer, ProbeContext } from '../probe.ts';
import { ownProxySettings, unitProxySettings } from '../machine/unit-proxy.ts';

type Code = ConnectionCode | 'ok' | 'region-unknown';

/** A little less than a probe has. */
const CONNECT_LIMIT_MS = 2_500;
const HTTPS = 443;

/** Name of the probe, its subject, and the units whose proxy is in force for it; null: our own. */
const PARTS: Readonly<
  Record<Service, { readonly name: string; readonly title: string; readonly units: readonly string[] | null }>
> = {
  ec2: { name: 'ec2-api-reachable', title: 'The EC2 API', units: ['nodeadm-config', 'cloud-final'] },
  eks: { name: 'eks-api-reachable', title: 'The EKS API', units: ['nodeadm-config', 'cloud-final'] },
  'ecr-api': { name: 'ecr-api-reachable', title: 'The ECR API', units: ['kubelet', 'sandbox-image'] },
  'ecr-registry': { name: 'ecr-registry-reachable', title: 'The ECR registry', units: ['containerd', 'sandbox-image'] },
  s3: { name: 's3-reachable', title: 'S3', units: ['containerd', 'sandbox-image'] },
  sts: { name: 'sts-reachable', title: 'STS', units: null },
  ssm: { name: 'ssm-reachable', title: 'SSM', units: ['amazon-ssm-agent'] },
  logs: { name: 'logs-reachable', title: 'CloudWatch Logs', units: null },
};

export const endpointReachable: readonly Probe<Code>[] = SERVICES.map((service) => ({
  name: PARTS[service].name,
  stage: 'questions',
  answers: {
    ok: {
      outcome: 'ok',
      sentence: '{host} answers (at {address}) ({address_kind} address) (through the proxy {proxy}).',
    },
    ...connectionAnswers('host'),
    'region-unknown': {
      outcome: 'skipped',
      sentence: `${PARTS[service].title} was not asked: the region of this node is not known.`,
    },
  },
  ask: (context) => ask(service, context),
}));

async function ask(service: Service, { system, network, known, signal }: ProbeContext): Promise<ProbeAnswer<Code>> {
  const host = endpointHost(service, known.get('region') ?? '', variantOf(network.environment));
  if (host === null) return { code: 'region-unknown', facts: {} };
  const { units } = PARTS[service];
  const settings = units === null ? await ownProxySettings(network, system) : await unitProxySettings(system, units);
  const proxy = proxyFor(settings, host, HTTPS);
  const shown = proxy === null ? null : `${proxy.host}:${proxy.port}`;
  try {
    const { address } = await network.connect({
      host,
      port: HTTPS,
      trust: 'system',
      proxy,
      timeLimitMs: CONNECT_LIMIT_MS,
      signal,
    });
    return { code: 'ok', facts: { host, ...placeFacts(address, shown) } };
  } catch (error) {
    const { code, facts } = failedConnection(error, shown);
    return { code, facts: compactFacts({ host, ...facts }) };
  }
}
