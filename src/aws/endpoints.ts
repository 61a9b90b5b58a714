// Names of the AWS endpoints that a node needs, in every partition. Asks nobody.
// Sources: botocore's endpoints.json and endpoint rule sets (aws-cli 2.36), get-ecr-uri.sh of the EKS AMIs.

import { type Partition, partitionOf } from './region.ts';

export const SERVICES = ['ec2', 'eks', 'ecr-api', 'ecr-registry', 's3', 'sts', 'ssm', 'logs'] as const;
export type Service = (typeof SERVICES)[number];

/** Which of the names the node's software is told to use (AWS_USE_FIPS_ENDPOINT, AWS_USE_DUALSTACK_ENDPOINT). */
export type Variant = 'standard' | 'fips' | 'dual-stack';

const TEMPLATES: Readonly<Record<Service, Readonly<Record<Variant, string>>>> = {
  ec2: { standard: 'ec2.{region}.{suffix}', fips: 'ec2-fips.{region}.{suffix}', 'dual-stack': 'ec2.{region}.{dual}' },
  eks: { standard: 'eks.{region}.{suffix}', fips: 'fips.eks.{region}.{suffix}', 'dual-stack': 'eks.{region}.{dual}' },
  'ecr-api': { standard: 'api.ecr.{region}.{suffix}', fips: 'ecr-fips.{region}.{suffix}', 'dual-stack': 'ecr.{region}.{dual}' },
  'ecr-registry': {
    standard: '{account}.dkr.ecr.{region}.{suffix}',
    fips: '{account}.dkr.ecr-fips.{region}.{suffix}',
    'dual-stack': '{account}.dkr-ecr.{region}.{registry}',
  },
  s3: { standard: 's3.{region}.{suffix}', fips: 's3-fips.{region}.{suffix}', 'dual-stack': 's3.dualstack.{region}.{suffix}' },
  sts: { standard: 'sts.{region}.{suffix}', fips: 'sts-fips.{region}.{suffix}', 'dual-stack': 'sts.{region}.{dual}' },
  ssm: { standard: 'ssm.{region}.{suffix}', fips: 'ssm-fips.{region}.{suffix}', 'dual-stack': 'ssm.{region}.{dual}' },
  logs: { standard: 'logs.{region}.{suffix}', fips: 'logs-fips.{region}.{suffix}', 'dual-stack': 'logs.{region}.{dual}' },
};

/** Accounts of the pause image, where a region has none of its own. */
const STANDARD_ACCOUNT = '602401143452';
const PARTITION_ACCOUNTS: Readonly<Record<string, string>> = {
  'aws-cn': '961992271922',
  'aws-us-gov': '013241004608',
  'aws-iso': '725322719131',
  'aws-iso-b': '187977181151',
  'aws-iso-e': '249663109785',
  'aws-iso-f': '676585237158',
};

/** Accounts of the pause image where it is not the partition's. */
const REGISTRY_ACCOUNTS: Readonly<Record<string, string>> = {
  'af-south-1': '877085696533',
  'ap-east-1': '800184023465',
  'ap-south-2': '900889452093',
  'ap-southeast-3': '296578399912',
  'ap-southeast-4': '491585149902',
  'ap-southeast-5': '151610086707',
  'ap-southeast-7': '121268973566',
  'ca-west-1': '761377655185',
  'cn-north-1': '918309763551',
  'cn-northwest-1': '961992271922',
  'eu-central-2': '900612956339',
  'eu-south-1': '590381155156',
  'eu-south-2': '455263428931',
  'il-central-1': '066635153087',
  'me-central-1': '759879836304',
  'me-south-1': '558608220178',
  'mx-central-1': '730335286997',
  'us-gov-east-1': '151742754352',
  'us-gov-west-1': '013241004608',
  'us-iso-west-1': '608367168043',
};

/** Null if the region has no form that a region can have: it may come from a log. A name that does not exist in a variant falls back to the standard one. */
export function endpointHost(service: Service, region: string, variant: Variant = 'standard'): string | null {
  const partition = partitionOf(region);
  if (partition === null) return null;
  const usable = variant === 'dual-stack' && partition.dualStackSuffix === null ? 'standard' : variant;
  const values: Readonly<Record<string, string>> = {
    region,
    suffix: partition.dnsSuffix,
    account: registryAccount(region, partition),
    dual: partition.dualStackSuffix ?? '',
    registry: (partition.dualStackSuffix ?? '').replace(/^api\.(?:aws)?/, (start) => (start === 'api.aws' ? 'on.aws' : 'on.')),
  };
  return TEMPLATES[service][usable].replaceAll(/\{(?<name>\w+)\}/g, (_all, name: string) => values[name] ?? '');
}

function registryAccount(region: string, { id }: Partition): string {
  return REGISTRY_ACCOUNTS[region] ?? PARTITION_ACCOUNTS[id] ?? STANDARD_ACCOUNT;
}

/** By the variables that AWS's SDKs and command line read. */
export function variantOf(environment: Readonly<Record<string, string>>): Variant {
  if (environment['AWS_USE_FIPS_ENDPOINT']?.toLowerCase() === 'true') return 'fips';
  return environment['AWS_USE_DUALSTACK_ENDPOINT']?.toLowerCase() === 'true' ? 'dual-stack' : 'standard';
}
