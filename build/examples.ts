// Whole templates that carry deploy/user-data.sh, so that each can be copied as it stands. Written by `npm run generate`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';

/** By name in deploy/examples. */
export function exampleFiles(): Readonly<Record<string, string>> {
  const script = readFileSync(join(ROOT, 'deploy/user-data.sh'), 'utf8');
  return {
    'ec2nodeclass-al2023.yaml': nodeClass('al2023', 'AL2023', mime([shell(script)])),
    'ec2nodeclass-al2.yaml': nodeClass('al2', 'AL2', mime([shell(script)])),
    'ec2nodeclass-bottlerocket.yaml': nodeClass('bottlerocket', 'Bottlerocket', BOTTLEROCKET),
    'managed-node-group.yaml': managedNodeGroup(mime([shell(script)])),
    'self-managed.yaml': selfManaged(script),
  };
}

const MADE =
  '# Made of deploy/user-data.sh by npm run generate. Fill in what is written in capitals, and the values at the head of the script.\n';

/** The settings that the entrypoint of deploy/bottlerocket needs; Karpenter adds its own to them. */
const BOTTLEROCKET = `[settings.host-containers.eks-bootstrap-analyzer]
enabled = true
superpowered = true
source = "ACCOUNT.dkr.ecr.REGION.amazonaws.com/eks-bootstrap-analyzer:0.1.0"
`;

const shell = (script: string): string => `Content-Type: text/x-shellscript; charset="us-ascii"\n\n${script}`;

function mime(parts: readonly string[]): string {
  return `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n\n${parts.map((part) => `--//\n${part}\n`).join('')}--//--\n`;
}

function block(text: string, indent: number): string {
  const margin = ' '.repeat(indent);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : margin + line))
    .join('\n');
}

function nodeClass(alias: string, family: string, userData: string): string {
  return `${MADE}# Karpenter puts its own part (NodeConfig, the call of bootstrap.sh, or settings) behind this user data.
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: ${alias}
spec:
  amiFamily: ${family}
  amiSelectorTerms:
    - alias: ${alias}@latest
  role: KarpenterNodeRole-CLUSTER
  subnetSelectorTerms:
    - tags:
        karpenter.sh/discovery: CLUSTER
  securityGroupSelectorTerms:
    - tags:
        karpenter.sh/discovery: CLUSTER
  userData: |
${block(userData, 4)}
`;
}

function managedNodeGroup(userData: string): string {
  return `${MADE}# CloudFormation. Without an ImageId EKS puts its NodeConfig behind this user data.
AWSTemplateFormatVersion: '2010-09-09'
Description: Managed node group on Amazon Linux 2023 whose nodes say why they did not become Ready.
Parameters:
  ClusterName: { Type: String }
  NodeRoleArn: { Type: String }
  SubnetIds: { Type: 'List<AWS::EC2::Subnet::Id>' }
Resources:
  LaunchTemplate:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: |
${block(userData, 12)}
  NodeGroup:
    Type: AWS::EKS::Nodegroup
    Properties:
      ClusterName: !Ref ClusterName
      NodeRole: !Ref NodeRoleArn
      Subnets: !Ref SubnetIds
      AmiType: AL2023_x86_64_STANDARD
      InstanceTypes: [m6i.large]
      ScalingConfig: { MinSize: 1, DesiredSize: 1, MaxSize: 3 }
      LaunchTemplate:
        Id: !Ref LaunchTemplate
        Version: !GetAtt LaunchTemplate.LatestVersionNumber
`;
}

function selfManaged(script: string): string {
  const [head = '', tail = ''] = mime([shell(script), 'NODECONFIG']).split('NODECONFIG');
  return `${MADE}# CloudFormation. Nobody adds a NodeConfig here: it is the second part.
AWSTemplateFormatVersion: '2010-09-09'
Description: Self-managed nodes on Amazon Linux 2023 that say why they did not become Ready.
Parameters:
  ClusterName: { Type: String }
  ApiServerEndpoint: { Type: String }
  CertificateAuthority: { Type: String }
  ServiceCidr: { Type: String }
  InstanceProfileArn: { Type: String }
  SecurityGroupIds: { Type: 'List<AWS::EC2::SecurityGroup::Id>' }
  SubnetIds: { Type: 'List<AWS::EC2::Subnet::Id>' }
  ImageId:
    Type: 'AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>'
    Default: /aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id
Resources:
  LaunchTemplate:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        ImageId: !Ref ImageId
        InstanceType: m6i.large
        IamInstanceProfile: { Arn: !Ref InstanceProfileArn }
        SecurityGroupIds: !Ref SecurityGroupIds
        MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }
        UserData:
          Fn::Base64: !Join
            - ''
            - - |
${block(head, 16)}
              - !Sub |
                Content-Type: application/node.eks.aws

                apiVersion: node.eks.aws/v1alpha1
                kind: NodeConfig
                spec:
                  cluster:
                    name: \${ClusterName}
                    apiServerEndpoint: \${ApiServerEndpoint}
                    certificateAuthority: \${CertificateAuthority}
                    cidr: \${ServiceCidr}

              - |
${block(tail.trimStart(), 16)}
  Nodes:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties:
      MinSize: '1'
      MaxSize: '3'
      VPCZoneIdentifier: !Ref SubnetIds
      LaunchTemplate:
        LaunchTemplateId: !Ref LaunchTemplate
        Version: !GetAtt LaunchTemplate.LatestVersionNumber
      Tags:
        - Key: !Sub kubernetes.io/cluster/\${ClusterName}
          Value: owned
          PropagateAtLaunch: true
`;
}
