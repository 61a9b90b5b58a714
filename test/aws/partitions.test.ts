import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRegion, partitionOf } from '../../src/aws/partitions.ts';

const REGIONS: Readonly<Record<string, string>> = {
  'eu-central-1': 'aws',
  'ap-southeast-7': 'aws',
  'cn-northwest-1': 'aws-cn',
  'us-gov-west-1': 'aws-us-gov',
  'us-iso-west-1': 'aws-iso',
  'us-isob-east-1': 'aws-iso-b',
  'eu-isoe-west-1': 'aws-iso-e',
  'us-isof-south-1': 'aws-iso-f',
  'eusc-de-east-1': 'aws-eusc',
};

test('every partition knows its regions', () => {
  for (const [region, partition] of Object.entries(REGIONS)) assert.equal(partitionOf(region)?.name, partition, region);
});

test('what cannot be the name of a region has no partition', () => {
  for (const text of [
    '',
    'eu-central-1a',
    'eu-central',
    'EU-CENTRAL-1',
    'eu-central-1.evil.example',
    '$(reboot)',
    'eu central 1',
    'x'.repeat(500),
  ]) {
    assert.equal(isRegion(text), false, text);
    assert.equal(partitionOf(text), null, text);
  }
});
