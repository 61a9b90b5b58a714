// The instance metadata service as the probes meet it: refusing, slow, broken, absent; and what it says of the instance's role.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CREDENTIALS_PATH, ORDINARY_CREDENTIALS } from '../imds.ts';
import { diagnose } from './diagnose.ts';
import { LOADING_FOR_EVER, nodeForTests, testTroubles } from './nodes.ts';
import { dropped, metadata, refused } from './troubles.ts';

const PROBE = 'instance-metadata-reachable';
const ADDRESS = '169.254.169.254';
const theNode = nodeForTests(LOADING_FOR_EVER);

testTroubles(theNode, [
  {
    title: 'it refuses a token (403)',
    make: metadata({ 'api/token': { status: 403 } }),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'token-refused' },
  },
  {
    title: 'it does not know the caller (401)',
    make: metadata({ 'api/token': { status: 401 } }),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'unauthorized' },
  },
  {
    title: 'it is another service (404)',
    make: metadata({ 'api/token': { status: 404 } }),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'not-found' },
  },
  {
    title: 'it fails (503)',
    make: metadata({ 'api/token': { status: 503 } }),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'server-error' },
  },
  {
    title: 'it is too slow',
    make: metadata({ 'api/token': { delayMs: 5_000 } }),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'unreachable' },
  },
  {
    title: 'a firewall drops what is sent to it',
    make: dropped(ADDRESS),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'unreachable' },
  },
  {
    title: 'a firewall refuses what is sent to it',
    make: refused(ADDRESS),
    cause: 'high imds-unreachable',
    codes: { [PROBE]: 'unreachable' },
  },
  {
    title: 'it is slow, but not too slow: the silence of nodeadm has another reason',
    make: metadata({ 'api/token': { delayMs: 700 } }),
    cause: 'low imds-unreachable',
    codes: { [PROBE]: 'ok' },
  },
  {
    title: 'the instance has no profile',
    make: metadata({ [CREDENTIALS_PATH]: null, 'meta-data/iam/info': null }),
    cause: 'high instance-profile-missing',
    codes: { [PROBE]: 'ok', 'credentials-usable': 'no-instance-profile', 'node-registered': 'no-credentials' },
  },
  {
    title: 'the role is gone',
    make: metadata({
      [CREDENTIALS_PATH]: JSON.stringify({
        Code: 'AssumeRoleUnauthorizedAccess',
        Message: 'EC2 cannot assume the role',
      }),
    }),
    cause: 'high instance-profile-missing',
    codes: { [PROBE]: 'ok', 'credentials-usable': 'role-gone', 'node-registered': 'no-credentials' },
  },
  {
    title: 'the credentials have expired',
    make: metadata({
      [CREDENTIALS_PATH]: JSON.stringify({
        Code: 'Success',
        ...ORDINARY_CREDENTIALS,
        Expiration: '2020-01-01T00:00:00Z',
      }),
    }),
    cause: 'low imds-unreachable',
    codes: { [PROBE]: 'ok', 'credentials-usable': 'expired', 'node-registered': 'no-credentials' },
  },
  {
    title: 'the instance is about to be taken away',
    make: metadata({ 'meta-data/spot/instance-action': '{"action":"terminate","time":"2099-01-01T00:00:00Z"}' }),
    cause: 'high instance-terminating',
    codes: { 'instance-staying': 'spot-interruption' },
  },
]);

test('an ordinary instance says who it is', async () => {
  const { verdict } = await diagnose(theNode());
  assert.deepEqual(verdict.node, {
    account: '111122223333',
    amiId: 'ami-0a1b2c3d4e5f60718',
    availabilityZone: 'us-west-2a',
    capacityType: 'on-demand',
    cluster: 'prod-blue',
    endpointHost: '8C1F0A7E5D2B4C3E9A6F1B0D7E8C2A45.gr7.us-west-2.eks.amazonaws.com',
    instanceId: 'i-0123456789abcdef0',
    instanceType: 'm5.large',
    kubeletVersion: '1.34.1',
    nodePool: null,
    os: 'al2023',
    partition: 'aws',
    privateDnsName: 'ip-10-0-1-23.us-west-2.compute.internal',
    region: 'us-west-2',
    roleArn: 'arn:aws:iam::111122223333:role/prod-blue-node-role',
    roleName: 'prod-blue-node-role',
    securityGroups: 'sg-0a1b2c3d4e5f60718',
    subnetId: 'subnet-0a1b2c3d4e5f60718',
    vpcId: 'vpc-0a1b2c3d4e5f60718',
  });
});
