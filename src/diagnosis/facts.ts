// What is known of the node: from the answers of probes, from small files, from named groups of milestones and signatures.
import { fitsForm, isPlaceholder } from '../lib/fact-forms.ts';
import { partitionNamed, partitionOf, registryAccount } from '../aws/partitions.ts';
import type { MatchResult, NodeFacts, Pack, ProbeResult } from '../types.ts';

export type Facts = ReadonlyMap<string, string>;

/**
 * The first to know a fact is believed: probes, which asked this very node, then files, then logs. Only how the node is called the
 * kubelet knows best: a probe may have asked under a name that it took for it.
 */
export function gatherFacts(pack: Pack, match: MatchResult, probes: readonly ProbeResult[]): Facts {
  const facts = new Map<string, string>();
  const offer = (name: string, value: string): void => {
    if (facts.has(name) || isPlaceholder(value) || (WHO_AND_WHERE.has(name) && !fitsForm(name, value))) return;
    facts.set(name, value);
  };
  for (const probe of probes)
    for (const [name, value] of Object.entries(probe.facts))
      if (OF_NODE.has(name) && value !== '') offer(name, String(value));
  for (const [name, value] of derivedFromPrincipal(facts.get('role_arn'))) offer(name, value);
  for (const [name, value] of Object.entries(match.facts)) offer(name, value);
  for (const milestone of pack.milestones) {
    const summary = match.matches.get(milestone.pattern.key);
    if (summary === undefined) continue;
    for (const [name, value] of Object.entries(milestone.facts)) offer(name, value);
    for (const [name, value] of Object.entries(summary.lastCaptures)) offer(name, value);
  }
  for (const cause of pack.causes)
    for (const signature of cause.signatures)
      for (const [name, value] of Object.entries(match.matches.get(signature.pattern.key)?.lastCaptures ?? {}))
        if (NODE_WIDE.has(name)) offer(name, value);
  for (const probe of probes)
    if (probe.facts[NODE_NAME] !== undefined) offer(NODE_NAME, String(probe.facts[NODE_NAME]));
  for (const [name, value] of derivedFromPrincipal(facts.get('principal_arn'))) offer(name, value);
  const region = regionOf(facts);
  if (region !== undefined) offer('region', region);
  for (const [name, value] of derivedFromPartition(facts)) offer(name, value);
  const kubelet = facts.get('kubelet_version');
  if (kubelet !== undefined) offer('kubernetes', kubelet.replace(/^v/, '').split('.').slice(0, 2).join('.'));
  return facts;
}

/** What names log groups, metrics and their dimensions: nothing but what has the form of such a name. */
const WHO_AND_WHERE = new Set(['cluster', 'node_pool', 'capacity_type', 'ami_id', 'availability_zone']);

const NODE_NAME = 'node_name';

/** Captures of a signature that describe the node itself and not only the failing call. */
const NODE_WIDE = new Set([
  'instance_id',
  'instance_type',
  'region',
  'availability_zone',
  'account',
  'cluster',
  'principal_arn',
  'role_arn',
  'role_name',
  'ami_id',
  'vpc_id',
]);

/** Facts of a probe's answer that describe the node itself and not only what was asked. */
const OF_NODE = new Set([
  ...NODE_WIDE,
  'partition',
  'private_dns_name',
  'subnet_id',
  'security_groups',
  'node_pool',
  'capacity_type',
  'endpoint_host',
  'os',
  'os_version',
  'kubelet_version',
  'containerd_version',
  'nodeadm_version',
  'cni_version',
]);

/** `arn:aws:sts::111122223333:assumed-role/node-role/i-0abc` names partition, account, role and instance. */
function derivedFromPrincipal(arn: string | undefined): [string, string][] {
  const match =
    /^arn:(?<partition>[a-z-]+):(?:sts|iam)::(?<account>\d{12}):(?:assumed-role|role)\/(?<role_name>[\w+=,.@-]+)(?:\/(?<instance_id>i-[0-9a-f]{8,17}))?$/.exec(
      arn ?? '',
    );
  return match === null
    ? []
    : Object.entries(match.groups!).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

const REGION = '[a-z]{2,4}(?:-[a-z]+)+-\\d';
const ZONE = new RegExp(`^(?<region>${REGION})[a-z]$`);
const IN_A_NAME = new RegExp(`\\.(?<region>${REGION})\\.(?:compute\\.|eks\\.|api\\.a)`);

/** From the zone, the private DNS name or the cluster's endpoint. */
function regionOf(facts: Facts): string | undefined {
  const name = facts.get('private_dns_name') ?? facts.get('node_name') ?? '';
  const found =
    ZONE.exec(facts.get('availability_zone') ?? '') ?? IN_A_NAME.exec(`${name} ${facts.get('endpoint_host') ?? ''}`);
  return found?.groups!['region'] ?? (name.endsWith('.ec2.internal') ? 'us-east-1' : undefined);
}

/** What commands need of the partition. The region tells it; without one a role's ARN does, but for the registry. */
function derivedFromPartition(facts: Facts): [string, string][] {
  const region = facts.get('region') ?? '';
  const partition = partitionOf(region) ?? partitionNamed(facts.get('partition') ?? '');
  if (partition === null) return [];
  const registry: [string, string] = [
    'registry',
    `${registryAccount(region, partition)}.dkr.ecr.${region}.${partition.suffix}`,
  ];
  return [
    ['partition', partition.name],
    ['dns_suffix', partition.suffix],
    ...(partitionOf(region) === null ? [] : [registry]),
  ];
}

/** `appliesTo` holds unless a known fact says otherwise: an unknown fact never excludes. */
export function applies(appliesTo: Readonly<Record<string, readonly string[]>>, facts: Facts): boolean {
  return Object.entries(appliesTo).every(([fact, allowed]) => {
    const value = facts.get(fact);
    return value === undefined || allowed.some((range) => inRange(value, range));
  });
}

/** A plain value, or a comparison of dotted versions: `>=1.24`, `<1.31`. */
function inRange(value: string, range: string): boolean {
  const match = /^(?<operator>[<>]=?)(?<version>\d+(?:\.\d+)*)$/.exec(range);
  if (match === null) return value === range;
  const order = compareVersions(value, match.groups!['version']!);
  const operator = match.groups!['operator']!;
  return operator === '>=' ? order >= 0 : operator === '>' ? order > 0 : operator === '<=' ? order <= 0 : order < 0;
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let i = 0; i < y.length; i++) if ((x[i] ?? 0) !== y[i]) return (x[i] ?? 0) - y[i]!;
  return 0;
}

export function nodeFacts(facts: Facts): NodeFacts {
  const get = (name: string): string | null => facts.get(name) ?? null;
  return {
    instanceId: get('instance_id'),
    instanceType: get('instance_type'),
    region: get('region'),
    availabilityZone: get('availability_zone'),
    account: get('account'),
    partition: get('partition'),
    amiId: get('ami_id'),
    privateDnsName: get('private_dns_name') ?? get('node_name'),
    vpcId: get('vpc_id'),
    subnetId: get('subnet_id'),
    securityGroups: get('security_groups'),
    roleName: get('role_name'),
    roleArn: get('role_arn'),
    cluster: get('cluster'),
    endpointHost: get('endpoint_host'),
    nodePool: get('node_pool'),
    capacityType: get('capacity_type'),
    kubeletVersion: get('kubelet_version'),
    os: get('os'),
  };
}
