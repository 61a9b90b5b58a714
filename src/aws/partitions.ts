// The partitions of AWS: what the names of endpoints, registries and resources end and begin with. Asks nobody.
// Sources: botocore's endpoints.json (aws-cli 2.36), get-ecr-uri.sh of the EKS AMIs.

export interface Partition {
  readonly name: string;
  readonly regions: RegExp;
  readonly suffix: string;
  /** Null where the partition has no such names. */
  readonly dualStack: string | null;
  /** Registry account of the pause image for regions that the table of accounts does not name. */
  readonly registryAccount: string;
}

const STANDARD_ACCOUNT = '602401143452';

const PARTITIONS: readonly Partition[] = [
  {
    name: 'aws-cn',
    regions: /^cn-/,
    suffix: 'amazonaws.com.cn',
    dualStack: 'api.amazonwebservices.com.cn',
    registryAccount: '961992271922',
  },
  {
    name: 'aws-us-gov',
    regions: /^us-gov-/,
    suffix: 'amazonaws.com',
    dualStack: 'api.aws',
    registryAccount: '013241004608',
  },
  { name: 'aws-iso', regions: /^us-iso-/, suffix: 'c2s.ic.gov', dualStack: null, registryAccount: '725322719131' },
  {
    name: 'aws-iso-b',
    regions: /^us-isob-/,
    suffix: 'sc2s.sgov.gov',
    dualStack: null,
    registryAccount: '187977181151',
  },
  {
    name: 'aws-iso-e',
    regions: /^eu-isoe-/,
    suffix: 'cloud.adc-e.uk',
    dualStack: null,
    registryAccount: '249663109785',
  },
  {
    name: 'aws-iso-f',
    regions: /^us-isof-/,
    suffix: 'csp.hci.ic.gov',
    dualStack: null,
    registryAccount: '676585237158',
  },
  {
    name: 'aws-eusc',
    regions: /^eusc-/,
    suffix: 'amazonaws.eu',
    dualStack: 'api.amazonwebservices.eu',
    registryAccount: STANDARD_ACCOUNT,
  },
  {
    name: 'aws',
    regions: /^[a-z]{2}-/,
    suffix: 'amazonaws.com',
    dualStack: 'api.aws',
    registryAccount: STANDARD_ACCOUNT,
  },
];

/** `eu-central-1`, `us-isob-east-1`, `eusc-de-east-1`. */
const REGION = /^[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}$/;

/** Accounts of the pause image where it is not the standard one. */
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

/** Null if the region has no form that a region can have: it may come from a log. */
export function partitionOf(region: string): Partition | null {
  return isRegion(region) ? (PARTITIONS.find(({ regions }) => regions.test(region)) ?? null) : null;
}

/** May the text be a region's name? It may come from a log. */
export function isRegion(text: string): boolean {
  return REGION.test(text);
}

/** By its name, as an ARN gives it. */
export function partitionNamed(name: string): Partition | null {
  return PARTITIONS.find((partition) => partition.name === name) ?? null;
}

/** The account from which a region's nodes pull the images of EKS. */
export function registryAccount(region: string, partition: Partition): string {
  return REGISTRY_ACCOUNTS[region] ?? partition.registryAccount;
}
