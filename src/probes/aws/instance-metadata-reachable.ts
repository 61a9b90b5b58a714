// Does the instance metadata service answer, and what does it say of this instance? Its credentials are no facts, and of user data
// a few names alone.
import { fieldsOf, firstLine } from '../../lib/answer-text.ts';
import { compactFacts } from '../compact-facts.ts';
import { type Metadata, type MetadataCode, MetadataError, openMetadata } from '../../aws/instance-metadata.ts';
import type { Told } from '../identity/labels.ts';
import { mostOf } from '../identity/most-of.ts';
import { toldByUserData } from '../identity/user-data.ts';
import type { Probe, ProbeAnswer, ProbeFacts } from '../probe.ts';

const TAGS_MAX = 50;
const CLUSTER_TAGS = ['eks:cluster-name', 'aws:eks:cluster-name'];
const POOL_TAGS = ['karpenter.sh/nodepool', 'eks:nodegroup-name'];
const OWNED_BY_CLUSTER = /^kubernetes\.io\/cluster\/(?<cluster>[A-Za-z0-9][\w-]{0,99})$/;

type Code = MetadataCode | 'ok';

export const instanceMetadataReachable: Probe<Code> = {
  name: 'instance-metadata-reachable',
  stage: 'facts',
  answers: {
    ok: { outcome: 'ok', sentence: 'The instance metadata service answers (asked {attempts} times).' },
    'token-refused': {
      outcome: 'fail',
      sentence: 'The instance metadata service refuses a token (403): it is switched off for this instance.',
    },
    unauthorized: { outcome: 'fail', sentence: 'The instance metadata service does not accept its own token (401).' },
    'not-found': {
      outcome: 'fail',
      sentence: 'What answers at the address of the instance metadata service is not that service (404 for a token).',
    },
    unreachable: {
      outcome: 'fail',
      sentence: 'The instance metadata service does not answer ({reason}, asked {attempts} times).',
    },
    'server-error': { outcome: 'fail', sentence: 'The instance metadata service fails ({reason}).' },
  },
  async ask({ network, signal }) {
    try {
      const metadata = await openMetadata(network, signal);
      return { code: 'ok', facts: await factsOf(metadata) };
    } catch (error) {
      const failure = metadataFailure(error);
      // Both tries fall within two seconds: the service may only have been slow for a moment.
      return failure.code === 'unreachable' ? { ...failure, facts: { ...failure.facts, brief: true } } : failure;
    }
  },
};

/** @throws what is no failure of the service */
export function metadataFailure(error: unknown): ProbeAnswer<MetadataCode> {
  if (!(error instanceof MetadataError)) throw error;
  return { code: error.code, facts: { reason: error.reason, attempts: error.attempts } };
}

async function factsOf(metadata: Metadata): Promise<ProbeFacts> {
  const [document, partition, name, mac, roles, userData, tags, lifeCycle, tokenRequired] = await Promise.all([
    metadata.get('dynamic/instance-identity/document'),
    metadata.find('meta-data/services/partition'),
    metadata.find('meta-data/local-hostname'),
    metadata.find('meta-data/mac'),
    metadata.find('meta-data/iam/security-credentials/'),
    metadata.find('user-data', 'latin1'),
    factsOfTags(metadata),
    metadata.find('meta-data/instance-life-cycle'),
    metadata.isTokenRequired(),
  ]);
  const identity = compactFacts(identityOf(document ?? ''));
  const inUserData = await toldByUserData(userData ?? '');
  const { told_as: _, ...told } = mostOf([inUserData, tags, { capacity_type: firstLine(lifeCycle) ?? '' }]);
  const role = firstLine(roles);
  return compactFacts({
    partition: firstLine(partition),
    // With several DHCP domains it lists one name for each.
    private_dns_name: firstLine(name)?.split(' ')[0],
    role_name: role,
    role_arn: roleArn(firstLine(partition), firstLine(identity['account']), role),
    token_required: tokenRequired,
    attempts: metadata.attempts > 1 ? metadata.attempts : null,
    ...told,
    ...identity,
    ...(await factsOfInterface(metadata, firstLine(mac))),
  });
}

function identityOf(document: string): Readonly<Record<string, string | null>> {
  const fields = fieldsOf(document);
  return {
    instance_id: firstLine(fields['instanceId']),
    instance_type: firstLine(fields['instanceType']),
    region: firstLine(fields['region']),
    availability_zone: firstLine(fields['availabilityZone']),
    account: firstLine(fields['accountId']),
    ami_id: firstLine(fields['imageId']),
  };
}

/** The role's path is not to be seen from here; aws-auth wants the ARN without it anyway. */
function roleArn(partition: string | null, account: string | null, role: string | null): string | null {
  return partition === null || account === null || role === null
    ? null
    : `arn:${partition}:iam::${account}:role/${role}`;
}

async function factsOfInterface(
  metadata: Metadata,
  mac: string | null,
): Promise<Readonly<Record<string, string | null | undefined>>> {
  if (mac === null || !/^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/.test(mac)) return {};
  const item = (name: string): Promise<string | null> =>
    metadata.find(`meta-data/network/interfaces/macs/${mac}/${name}`);
  const [vpc, subnet, groups] = await Promise.all([item('vpc-id'), item('subnet-id'), item('security-group-ids')]);
  return {
    vpc_id: firstLine(vpc),
    subnet_id: firstLine(subnet),
    security_groups: groups
      ?.match(/\bsg-[0-9a-f]{8,17}\b/g)
      ?.slice(0, 16)
      .join(','),
  };
}

/** Tags are to be seen only where the launch template allows it. */
async function factsOfTags(metadata: Metadata): Promise<Told> {
  const names = ((await metadata.find('meta-data/tags/instance')) ?? '').split('\n', TAGS_MAX);
  const first = async (wanted: readonly string[]): Promise<string | null> => {
    const name = wanted.find((tag) => names.includes(tag));
    return name === undefined ? null : firstLine(await metadata.find(`meta-data/tags/instance/${name}`));
  };
  const [cluster, nodePool] = await Promise.all([first(CLUSTER_TAGS), first(POOL_TAGS)]);
  const owner = names
    .map((name) => OWNED_BY_CLUSTER.exec(name)?.groups?.['cluster'])
    .find((name) => name !== undefined);
  return { cluster: cluster ?? owner ?? '', node_pool: nodePool ?? '' };
}
