// Names of the AWS endpoints that a node needs, in every partition. Asks nobody.
// Source: botocore's endpoint rule sets (aws-cli 2.36).
import { partitionOf, registryAccount } from './partitions.ts';

export const SERVICES = ['ec2', 'eks', 'ecr-api', 'ecr-registry', 's3', 'sts', 'ssm', 'logs'] as const;
export type Service = (typeof SERVICES)[number];

/** Which of the names the node's software is told to use (AWS_USE_FIPS_ENDPOINT, AWS_USE_DUALSTACK_ENDPOINT). */
export type Variant = 'standard' | 'fips' | 'dual-stack';

const TEMPLATES: Readonly<Record<Service, Readonly<Record<Variant, string>>>> = {
  ec2: { standard: 'ec2.{region}.{suffix}', fips: 'ec2-fips.{region}.{suffix}', 'dual-stack': 'ec2.{region}.{dual}' },
  eks: { standard: 'eks.{region}.{suffix}', fips: 'fips.eks.{region}.{suffix}', 'dual-stack': 'eks.{region}.{dual}' },
  'ecr-api': {
    standard: 'api.ecr.{region}.{suffix}',
    fips: 'ecr-fips.{region}.{suffix}',
    'dual-stack': 'ecr.{region}.{dual}',
  },
  'ecr-registry': {
    standard: '{account}.dkr.ecr.{region}.{suffix}',
    fips: '{account}.dkr.ecr-fips.{region}.{suffix}',
    'dual-stack': '{account}.dkr-ecr.{region}.{registry}',
  },
  s3: {
    standard: 's3.{region}.{suffix}',
    fips: 's3-fips.{region}.{suffix}',
    'dual-stack': 's3.dualstack.{region}.{suffix}',
  },
  sts: { standard: 'sts.{region}.{suffix}', fips: 'sts-fips.{region}.{suffix}', 'dual-stack': 'sts.{region}.{dual}' },
  ssm: { standard: 'ssm.{region}.{suffix}', fips: 'ssm-fips.{region}.{suffix}', 'dual-stack': 'ssm.{region}.{dual}' },
  logs: {
    standard: 'logs.{region}.{suffix}',
    fips: 'logs-fips.{region}.{suffix}',
    'dual-stack': 'logs.{region}.{dual}',
  },
};

/** Null if the region has no form that a region can have: it may come from a log. A name that does not exist in a variant falls back to the standard one. */
export function endpointHost(service: Service, region: string, variant: Variant = 'standard'): string | null {
  const partition = partitionOf(region);
  if (partition === null) return null;
  const usable = variant === 'dual-stack' && partition.dualStack === null ? 'standard' : variant;
  const values: Readonly<Record<string, string>> = {
    region,
    suffix: partition.suffix,
    account: registryAccount(region, partition),
    dual: partition.dualStack ?? '',
    registry: (partition.dualStack ?? '').replace(/^api\.(?:aws)?/, (start) =>
      start === 'api.aws' ? 'on.aws' : 'on.',
    ),
  };
  return TEMPLATES[service][usable].replaceAll(/\{(?<name>\w+)\}/g, (_all, name: string) => values[name] ?? '');
}

/** By the variables that AWS's SDKs and command line read. */
export function variantOf(environment: Readonly<Record<string, string>>): Variant {
  if (environment['AWS_USE_FIPS_ENDPOINT']?.toLowerCase() === 'true') return 'fips';
  return environment['AWS_USE_DUALSTACK_ENDPOINT']?.toLowerCase() === 'true' ? 'dual-stack' : 'standard';
}
