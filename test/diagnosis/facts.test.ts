// What is derived of a node's place: region, partition, and the names that follow from both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatherFacts } from '../../src/diagnosis/facts.ts';
import { matched, pack } from './builders.ts';

const factsOf = (facts: Record<string, string>): ReadonlyMap<string, string> =>
  gatherFacts(pack([]), matched(60, [], { facts }), []);

const PLACES = [
  ['us-east-1', 'aws', 'amazonaws.com', '602401143452.dkr.ecr.us-east-1.amazonaws.com'],
  ['ap-east-1', 'aws', 'amazonaws.com', '800184023465.dkr.ecr.ap-east-1.amazonaws.com'],
  ['cn-north-1', 'aws-cn', 'amazonaws.com.cn', '918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn'],
  ['us-gov-east-1', 'aws-us-gov', 'amazonaws.com', '151742754352.dkr.ecr.us-gov-east-1.amazonaws.com'],
  ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov', '725322719131.dkr.ecr.us-iso-east-1.c2s.ic.gov'],
  ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov', '187977181151.dkr.ecr.us-isob-east-1.sc2s.sgov.gov'],
  ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk', '249663109785.dkr.ecr.eu-isoe-west-1.cloud.adc-e.uk'],
  ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov', '676585237158.dkr.ecr.us-isof-south-1.csp.hci.ic.gov'],
  ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu', '602401143452.dkr.ecr.eusc-de-east-1.amazonaws.eu'],
] as const;

for (const [region, partition, suffix, registry] of PLACES)
  test(`${region} is of ${partition}`, () => {
    const facts = factsOf({ region });
    assert.deepEqual(
      [facts.get('partition'), facts.get('dns_suffix'), facts.get('registry')],
      [partition, suffix, registry],
    );
  });

for (const [what, given, region] of [
  ['a zone', { availability_zone: 'eusc-de-east-1b' }, 'eusc-de-east-1'],
  ['a private DNS name', { private_dns_name: 'ip-10-0-0-1.us-isob-east-1.compute.internal' }, 'us-isob-east-1'],
  ['a node name of us-east-1', { node_name: 'ip-10-0-0-1.ec2.internal' }, 'us-east-1'],
  ['an endpoint', { endpoint_host: '8C1F0A7E.yl4.cn-north-1.eks.amazonaws.com.cn' }, 'cn-north-1'],
  ['a dual-stack endpoint', { endpoint_host: '8C1F0A7E.gr7.eks-cluster.us-gov-west-1.api.aws' }, 'us-gov-west-1'],
] as const)
  test(`${what} tells the region`, () => assert.equal(factsOf(given).get('region'), region));

test('an ARN tells the partition where no region is known, and no registry', () => {
  const facts = factsOf({ principal_arn: 'arn:aws-cn:sts::111122223333:assumed-role/node/i-0a1b2c3d4e5f60718' });
  assert.deepEqual(
    [facts.get('partition'), facts.get('dns_suffix'), facts.get('registry')],
    ['aws-cn', 'amazonaws.com.cn', undefined],
  );
});

test('a region of no known form tells nothing', () => {
  const facts = factsOf({ region: 'moon-base' });
  assert.deepEqual(
    [facts.get('partition'), facts.get('dns_suffix'), facts.get('registry')],
    [undefined, undefined, undefined],
  );
});
