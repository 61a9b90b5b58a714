// The form of a region's name, and the partition that it lies in. Asks nobody. Source: botocore's partitions.json (aws-cli 2.36).

export interface Partition {
  /** As in an ARN. */
  readonly id: string;
  readonly regions: RegExp;
  readonly dnsSuffix: string;
  /** Null where the partition has no such names. */
  readonly dualStackSuffix: string | null;
}

const PARTITIONS: readonly Partition[] = [
  { id: 'aws-cn', regions: /^cn-/, dnsSuffix: 'amazonaws.com.cn', dualStackSuffix: 'api.amazonwebservices.com.cn' },
  { id: 'aws-us-gov', regions: /^us-gov-/, dnsSuffix: 'amazonaws.com', dualStackSuffix: 'api.aws' },
  { id: 'aws-iso', regions: /^us-iso-/, dnsSuffix: 'c2s.ic.gov', dualStackSuffix: null },
  { id: 'aws-iso-b', regions: /^us-isob-/, dnsSuffix: 'sc2s.sgov.gov', dualStackSuffix: null },
  { id: 'aws-iso-e', regions: /^eu-isoe-/, dnsSuffix: 'cloud.adc-e.uk', dualStackSuffix: null },
  { id: 'aws-iso-f', regions: /^us-isof-/, dnsSuffix: 'csp.hci.ic.gov', dualStackSuffix: null },
  { id: 'aws-eusc', regions: /^eusc-/, dnsSuffix: 'amazonaws.eu', dualStackSuffix: 'api.amazonwebservices.eu' },
  { id: 'aws', regions: /^[a-z]{2}-/, dnsSuffix: 'amazonaws.com', dualStackSuffix: 'api.aws' },
];

/** `eu-central-1`, `us-isob-east-1`, `eusc-de-east-1`; its source goes into larger expressions. */
export const REGION_FORM = String.raw`[a-z]{2,4}(?:-[a-z]+){1,3}-\d{1,2}`;
const REGION = new RegExp(`^${REGION_FORM}$`);

/** May the text be a region's name? It may come from a log. */
export function isRegion(text: string): boolean {
  return REGION.test(text);
}

/** Null if the text cannot be the name of a region. */
export function partitionOf(region: string): Partition | null {
  return isRegion(region) ? (PARTITIONS.find(({ regions }) => regions.test(region)) ?? null) : null;
}
