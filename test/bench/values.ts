// Fills the templates of templates.ts with values that differ from line to line, always the same for the same seed.
import type { Random } from '../matching/random.ts';

const APPS = [
  'coredns',
  'metrics-server',
  'ingress-nginx',
  'cert-manager',
  'argo-rollouts',
  'external-dns',
  'prometheus',
  'grafana',
  'fluent-bit',
  'checkout',
  'payments',
  'orders',
  'catalog',
  'inventory',
  'shipping',
  'billing',
  'search-api',
  'recommend',
  'frontend',
  'gateway',
  'auth-proxy',
  'session-store',
  'redis-cache',
  'postgres',
  'kafka-broker',
  'zookeeper',
  'spark-driver',
  'airflow-worker',
  'jupyter',
  'ebs-csi-node',
  'efs-csi-node',
  'node-exporter',
  'kube-state',
  'velero',
  'istio-proxy',
  'linkerd',
  'vault-agent',
  'keycloak',
  'mailhog',
  'image-resizer',
  'video-encoder',
  'webhook',
  'cron-runner',
  'batch-importer',
  'geo-lookup',
  'quota-sync',
  'tenant-x',
  'ml-serving',
];
const SPACES = [
  'kube-system',
  'default',
  'monitoring',
  'logging',
  'shop',
  'payments',
  'data-platform',
  'ml',
  'istio-system',
  'cert-manager',
  'ci',
  'qa-7',
];
const PATHS = [
  'healthz',
  'readyz',
  'livez',
  'ping',
  'status',
  'metrics',
  'actuator/health',
  'v1/check',
  'api/ready',
  'up',
  '_cluster/health',
  'queue-depth',
];
const VOLUMES = [
  'kube-api-access-',
  'config-',
  'tls-certs-',
  'aws-iam-token-',
  'data-',
  'secrets-store-',
  'tmp-',
  'shared-logs-',
  'dshm-',
  'webhook-cert-',
];
const REGISTRIES = [
  '602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/',
  'public.ecr.aws/docker/library/',
  'quay.io/team/',
  'ghcr.io/acme/',
  'docker.io/bitnami/',
];
const HEX = '0123456789abcdef';
const CONSONANTS = 'bcdfghjklmnpqrstvwxz2456789';

function letters(random: Random, length: number, from: string): string {
  let text = '';
  for (let i = 0; i < length; i++) text += from.charAt(random.int(from.length));
  return text;
}

/** Long ids are put together from pieces made once: random digits for every one would cost more than all the rest. */
function pieces(random: Random, length: number, from: string): string[] {
  return Array.from({ length: 4096 }, () => letters(random, length, from));
}

export interface Filler {
  /** The template with every `{name}` replaced; `nowMs` is the time of the line. */
  fill(template: string, nowMs: number): string;
}

export function createFiller(random: Random): Filler {
  const hex8 = pieces(random, 8, HEX);
  const hex4 = pieces(random, 4, HEX);
  const tails = pieces(random, 5, CONSONANTS);
  const eight = (): string => random.pick(hex8);
  const four = (): string => random.pick(hex4);
  const app = (): string => random.pick(APPS);
  const values: Readonly<Record<string, (nowMs: number) => string>> = {
    app,
    ns: () => random.pick(SPACES),
    pod: () => `${app()}-${eight()}${random.int(10)}-${random.pick(tails)}`,
    path: () => random.pick(PATHS),
    volume: () => random.pick(VOLUMES) + random.pick(tails),
    image: () => `${random.pick(REGISTRIES)}${app()}:v${random.int(9)}.${random.int(40)}.${random.int(20)}`,
    hex64: () => eight() + eight() + eight() + eight() + eight() + eight() + eight() + eight(),
    hex17: () => `0${eight()}${eight()}`,
    uuid: () => `${eight()}-${four()}-${four()}-${four()}-${four()}${eight()}`,
    uuid_: () => `${eight()}_${four()}_${four()}_${four()}_${four()}${eight()}`,
    mac: () => [four(), four()].map((text) => `${text.slice(0, 2)}:${text.slice(2)}`).join(':'),
    ip: () => `10.${random.int(256)}.${random.int(256)}.${random.int(256)}`,
    port: () => String(1024 + random.int(60_000)),
    int: () => String(random.int(10 ** (1 + random.int(7)))),
    float: () => `${random.int(100)}.${100_000_000 + random.int(900_000_000)}`,
    node: () => 'ip-10-20-30-40.eu-central-1.compute.internal',
    iso: (nowMs) => new Date(nowMs).toISOString().slice(0, 19).replace('T', ' '),
    stamp: (nowMs) => new Date(nowMs).toISOString(),
  };
  return {
    fill: (template, nowMs) =>
      template.replace(/\{(?<name>[a-z_]+[0-9]*)\}/g, (all, name: string) => values[name]?.(nowMs) ?? all),
  };
}
