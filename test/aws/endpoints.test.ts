import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressKind } from '../../src/probes/address-kind.ts';
import { endpointHost, type Service, SERVICES, type Variant, variantOf } from '../../src/aws/endpoints.ts';

const HOSTS: readonly (readonly [service: Service, region: string, variant: Variant, host: string | null])[] = [
  ['ec2', 'us-west-2', 'standard', 'ec2.us-west-2.amazonaws.com'],
  ['eks', 'us-west-2', 'standard', 'eks.us-west-2.amazonaws.com'],
  ['ecr-api', 'us-west-2', 'standard', 'api.ecr.us-west-2.amazonaws.com'],
  ['ecr-registry', 'us-west-2', 'standard', '602401143452.dkr.ecr.us-west-2.amazonaws.com'],
  ['s3', 'us-west-2', 'standard', 's3.us-west-2.amazonaws.com'],
  ['sts', 'eu-central-1', 'standard', 'sts.eu-central-1.amazonaws.com'],
  ['ssm', 'ap-southeast-5', 'standard', 'ssm.ap-southeast-5.amazonaws.com'],
  ['logs', 'mx-central-1', 'standard', 'logs.mx-central-1.amazonaws.com'],
  ['ecr-registry', 'ap-southeast-5', 'standard', '151610086707.dkr.ecr.ap-southeast-5.amazonaws.com'],
  ['ecr-registry', 'cn-north-1', 'standard', '918309763551.dkr.ecr.cn-north-1.amazonaws.com.cn'],
  ['sts', 'us-gov-west-1', 'standard', 'sts.us-gov-west-1.amazonaws.com'],
  ['ecr-registry', 'us-gov-west-1', 'standard', '013241004608.dkr.ecr.us-gov-west-1.amazonaws.com'],
  ['ec2', 'us-iso-east-1', 'standard', 'ec2.us-iso-east-1.c2s.ic.gov'],
  ['ecr-registry', 'us-isob-east-1', 'standard', '187977181151.dkr.ecr.us-isob-east-1.sc2s.sgov.gov'],
  ['logs', 'eu-isoe-west-1', 'standard', 'logs.eu-isoe-west-1.cloud.adc-e.uk'],
  ['eks', 'us-isof-south-1', 'standard', 'eks.us-isof-south-1.csp.hci.ic.gov'],
  ['sts', 'eusc-de-east-1', 'standard', 'sts.eusc-de-east-1.amazonaws.eu'],
  ['eks', 'us-east-1', 'fips', 'fips.eks.us-east-1.amazonaws.com'],
  ['ecr-api', 'us-east-1', 'fips', 'ecr-fips.us-east-1.amazonaws.com'],
  ['ecr-registry', 'us-east-1', 'fips', '602401143452.dkr.ecr-fips.us-east-1.amazonaws.com'],
  ['ec2', 'us-east-1', 'dual-stack', 'ec2.us-east-1.api.aws'],
  ['ecr-api', 'us-east-1', 'dual-stack', 'ecr.us-east-1.api.aws'],
  ['ecr-registry', 'us-east-1', 'dual-stack', '602401143452.dkr-ecr.us-east-1.on.aws'],
  ['ecr-registry', 'cn-northwest-1', 'dual-stack', '961992271922.dkr-ecr.cn-northwest-1.on.amazonwebservices.com.cn'],
  ['s3', 'us-east-1', 'dual-stack', 's3.dualstack.us-east-1.amazonaws.com'],
  ['ssm', 'eusc-de-east-1', 'dual-stack', 'ssm.eusc-de-east-1.api.amazonwebservices.eu'],
  ['ec2', 'us-iso-east-1', 'dual-stack', 'ec2.us-iso-east-1.c2s.ic.gov'],
  ['sts', '', 'standard', null],
  ['sts', 'evil.example/', 'standard', null],
  ['sts', 'us-west-2.evil.example', 'standard', null],
  ['sts', 'us-west-2\r\n', 'standard', null],
  ['sts', 'us-west-2\n', 'standard', null],
];

test('names the endpoints of every partition, and none for a region that cannot be one', () => {
  for (const [service, region, variant, host] of HOSTS)
    assert.equal(endpointHost(service, region, variant), host, `${service} ${region} ${variant}`);
});

test('leaves no gap in any name', () => {
  for (const region of [
    'us-west-2',
    'cn-north-1',
    'us-gov-east-1',
    'us-iso-west-1',
    'us-isob-east-1',
    'eu-isoe-west-1',
    'us-isof-south-1',
    'eusc-de-east-1',
  ])
    for (const variant of ['standard', 'fips', 'dual-stack'] as const)
      for (const service of SERVICES)
        assert.match(endpointHost(service, region, variant) ?? '', /^[a-z0-9]+(?:[.-][a-z0-9]+)+$/);
});

test('the variant is the one that the SDKs are told to use', () => {
  assert.equal(variantOf({}), 'standard');
  assert.equal(variantOf({ AWS_USE_DUALSTACK_ENDPOINT: 'TRUE' }), 'dual-stack');
  assert.equal(variantOf({ AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' }), 'fips');
  assert.equal(variantOf({ AWS_USE_FIPS_ENDPOINT: 'false' }), 'standard');
});

test('tells private addresses from public ones', () => {
  for (const address of [
    '10.0.0.7',
    '172.31.255.1',
    '192.168.1.1',
    '100.64.3.4',
    '169.254.1.1',
    '127.0.0.1',
    'fd00:ec2::253',
    '::1',
  ])
    assert.equal(addressKind(address), 'private', address);
  for (const address of ['52.94.236.1', '172.32.0.1', '100.128.0.1', '2600:1f14::1'])
    assert.equal(addressKind(address), 'public', address);
});
