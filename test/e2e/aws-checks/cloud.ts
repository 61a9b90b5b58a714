// A small account at moto in which a node can join its cluster, by a NAT gateway or by endpoints alone; parts can be taken away.
import type { AwsCli } from './aws-cli.ts';
import type { Eks } from './eks-front.ts';

const CLUSTER = 'shop';
const ROLE = 'shop-node';
const TRUST = {
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
};
const SERVICES = ['ec2', 'ecr.api', 'ecr.dkr', 'sts'] as const;

export interface Cloud {
  readonly instance: string;
  readonly table: string;
  readonly nat: string;
  readonly nodeGroup: string;
  readonly roleArn: string;
  /** Takes the default route away. */
  closeRoute(): Promise<void>;
  /** Endpoints in its place, but for this service. */
  addEndpoints(without: string): Promise<void>;
  denyImages(): Promise<void>;
  closeNodeGroup(): Promise<void>;
}

export async function buildCloud({ call, json }: AwsCli, eks: Eks): Promise<Cloud> {
  const ec2 = async <T>(...words: string[]): Promise<T> => json<T>('ec2', ...words);
  const id = async (path: string, ...words: string[]): Promise<string> =>
    (await call('--output', 'text', 'ec2', ...words, '--query', path)).trim();

  const vpc = await id('Vpc.VpcId', 'create-vpc', '--cidr-block', '10.20.0.0/16');
  await call('ec2', 'modify-vpc-attribute', '--vpc-id', vpc, '--enable-dns-hostnames');
  const inVpc = ['--vpc-id', vpc];
  const subnet = await id('Subnet.SubnetId', 'create-subnet', ...inVpc, '--cidr-block', '10.20.1.0/24');
  const front = await id('Subnet.SubnetId', 'create-subnet', ...inVpc, '--cidr-block', '10.20.2.0/24');
  const address = await id('AllocationId', 'allocate-address', '--domain', 'vpc');
  const nat = await id(
    'NatGateway.NatGatewayId',
    'create-nat-gateway',
    '--subnet-id',
    front,
    '--allocation-id',
    address,
  );
  const table = await id('RouteTable.RouteTableId', 'create-route-table', ...inVpc);
  await call('ec2', 'associate-route-table', '--route-table-id', table, '--subnet-id', subnet);
  const nowhere = ['--route-table-id', table, '--destination-cidr-block', '0.0.0.0/0'];
  await call('ec2', 'create-route', ...nowhere, '--nat-gateway-id', nat);
  const group = async (name: string): Promise<string> =>
    id('GroupId', 'create-security-group', '--group-name', name, '--description', name, ...inVpc);
  const nodeGroup = await group('node');
  const admitting = async (name: string): Promise<string> => {
    const made = await group(name);
    const rule = ['--protocol', 'tcp', '--port', '443', '--source-group', nodeGroup];
    await call('ec2', 'authorize-security-group-ingress', '--group-id', made, ...rule);
    return made;
  };
  const [controlPlane, endpointGroup] = [await admitting('control-plane'), await admitting('endpoints')];

  await call('iam', 'create-role', '--role-name', ROLE, '--assume-role-policy-document', JSON.stringify(TRUST));
  const { Policy } = await json<{ Policy: { Arn: string } }>(
    'iam',
    'create-policy',
    '--policy-name',
    'shop-node',
    '--policy-document',
    policy(['ec2:Describe*', 'ec2:*NetworkInterface', 'ec2:AssignPrivateIpAddresses', 'eks:DescribeCluster']),
  );
  await call('iam', 'attach-role-policy', '--role-name', ROLE, '--policy-arn', Policy.Arn);
  const images = policy(['ecr:GetAuthorizationToken', 'ecr:Batch*', 'ecr:GetDownloadUrlForLayer']);
  await call('iam', 'put-role-policy', '--role-name', ROLE, '--policy-name', 'images', '--policy-document', images);
  await call('iam', 'create-instance-profile', '--instance-profile-name', ROLE);
  await call('iam', 'add-role-to-instance-profile', '--instance-profile-name', ROLE, '--role-name', ROLE);
  const { Images } = await ec2<{ Images: { ImageId: string }[] }>('describe-images', '--owners', 'amazon');
  const instance = await id(
    'Instances[0].InstanceId',
    'run-instances',
    '--image-id',
    Images[0]!.ImageId,
    '--subnet-id',
    subnet,
    '--security-group-ids',
    nodeGroup,
    '--iam-instance-profile',
    `Name=${ROLE}`,
    '--tag-specifications',
    `ResourceType=instance,Tags=[{Key=kubernetes.io/cluster/${CLUSTER},Value=owned}]`,
  );
  const roleArn = (
    await call('--output', 'text', 'iam', 'get-role', '--role-name', ROLE, '--query', 'Role.Arn')
  ).trim();
  const networks = `subnetIds=${subnet},${front}`;
  await call('eks', 'create-cluster', '--name', CLUSTER, '--role-arn', roleArn, '--resources-vpc-config', networks);
  eks.vpcConfig = {
    vpcId: vpc,
    clusterSecurityGroupId: controlPlane,
    endpointPrivateAccess: true,
    endpointPublicAccess: false,
  };
  eks.entries = { [roleArn]: 'EC2_LINUX' };

  return {
    instance,
    table,
    nat,
    nodeGroup,
    roleArn,
    closeRoute: async () => void (await call('ec2', 'delete-route', ...nowhere)),
    denyImages: async () =>
      void (await call('iam', 'delete-role-policy', '--role-name', ROLE, '--policy-name', 'images')),
    async closeNodeGroup() {
      const all = 'IpProtocol=-1,IpRanges=[{CidrIp=0.0.0.0/0}]';
      await call('ec2', 'revoke-security-group-egress', '--group-id', nodeGroup, '--ip-permissions', all);
    },
    async addEndpoints(without) {
      const make = ['ec2', 'create-vpc-endpoint', ...inVpc];
      for (const service of SERVICES.filter((name) => name !== without))
        await call(
          ...make,
          '--vpc-endpoint-type',
          'Interface',
          '--service-name',
          `com.amazonaws.us-west-2.${service}`,
          '--subnet-ids',
          subnet,
          '--security-group-ids',
          endpointGroup,
          '--private-dns-enabled',
        );
      await call(
        ...make,
        '--vpc-endpoint-type',
        'Gateway',
        '--service-name',
        'com.amazonaws.us-west-2.s3',
        '--route-table-ids',
        table,
      );
    },
  };
}

function policy(actions: readonly string[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] });
}
