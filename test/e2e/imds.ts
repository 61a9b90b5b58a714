// What a node's metadata service answers: the shape, and the answers of an ordinary instance. Serves nothing (imds-server.ts).

/** A text, or how it is answered otherwise. */
export type ImdsAnswer = string | { readonly status?: number; readonly value?: string; readonly delayMs?: number };

/**
 * By path without `/latest/` (`meta-data/instance-id`, `user-data`, `dynamic/instance-identity/document`); folders list what is
 * below them. `api/token` is the answer to a PUT for a token; `token-optional: 'true'` lets requests without one through.
 */
export type ImdsData = Readonly<Record<string, ImdsAnswer>>;

export const ROLE = 'prod-blue-node-role';
export const CREDENTIALS_PATH = `meta-data/iam/security-credentials/${ROLE}`;

export const ORDINARY_CREDENTIALS = {
  AccessKeyId: 'ASIAEXAMPLEEXAMPLE00',
  SecretAccessKey: 'example/secret/example/secret/example/00',
  Token: 'example-session-token',
  Expiration: '2099-01-01T00:00:00Z',
};

/** An EKS node's instance in us-west-2 with an instance profile whose credentials are made up. */
export const ORDINARY_INSTANCE: ImdsData = {
  'meta-data/ami-id': 'ami-0a1b2c3d4e5f60718',
  'meta-data/hostname': 'ip-10-0-1-23.us-west-2.compute.internal',
  'meta-data/instance-id': 'i-0123456789abcdef0',
  'meta-data/instance-life-cycle': 'on-demand',
  'meta-data/instance-type': 'm5.large',
  'meta-data/local-hostname': 'ip-10-0-1-23.us-west-2.compute.internal',
  'meta-data/local-ipv4': '10.0.1.23',
  'meta-data/mac': '02:00:00:00:00:01',
  'meta-data/network/interfaces/macs/02:00:00:00:00:01/device-number': '0',
  'meta-data/network/interfaces/macs/02:00:00:00:00:01/local-ipv4s': '10.0.1.23',
  'meta-data/network/interfaces/macs/02:00:00:00:00:01/subnet-id': 'subnet-0a1b2c3d4e5f60718',
  'meta-data/network/interfaces/macs/02:00:00:00:00:01/security-group-ids': 'sg-0a1b2c3d4e5f60718',
  'meta-data/network/interfaces/macs/02:00:00:00:00:01/vpc-id': 'vpc-0a1b2c3d4e5f60718',
  'meta-data/network/interfaces/macs/02:00:00:00:00:01/vpc-ipv4-cidr-blocks': '10.0.0.0/16',
  'meta-data/placement/availability-zone': 'us-west-2a',
  'meta-data/placement/region': 'us-west-2',
  'meta-data/security-groups': 'prod-blue-node',
  'meta-data/services/domain': 'amazonaws.com',
  'meta-data/services/partition': 'aws',
  'meta-data/iam/info': JSON.stringify({
    Code: 'Success',
    LastUpdated: '2026-01-01T00:00:00Z',
    InstanceProfileArn: `arn:aws:iam::111122223333:instance-profile/${ROLE}`,
    InstanceProfileId: 'AIPAEXAMPLEEXAMPLE000',
  }),
  [CREDENTIALS_PATH]: JSON.stringify({
    Code: 'Success',
    LastUpdated: '2026-01-01T00:00:00Z',
    Type: 'AWS-HMAC',
    ...ORDINARY_CREDENTIALS,
  }),
  'dynamic/instance-identity/document': JSON.stringify({
    accountId: '111122223333',
    architecture: 'x86_64',
    availabilityZone: 'us-west-2a',
    imageId: 'ami-0a1b2c3d4e5f60718',
    instanceId: 'i-0123456789abcdef0',
    instanceType: 'm5.large',
    privateIp: '10.0.1.23',
    region: 'us-west-2',
    version: '2017-09-30',
  }),
};
