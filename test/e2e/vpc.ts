// The network that a node under test believes to be in: names, addresses, routes, trust and kubeconfig, laid out as files. Serves
// nothing (vpc-server.ts).
import { endpointHost, SERVICES } from '../../src/aws/endpoints.ts';
import { type Certificate, makeAuthority } from '../host/certificates.ts';
import type { NodeFile } from './node-file.ts';

export const REGION = 'us-west-2';
export const CLUSTER = 'prod-blue';
export const CLUSTER_HOST = '8C1F0A7E5D2B4C3E9A6F1B0D7E8C2A45.gr7.us-west-2.eks.amazonaws.com';
export const ENDPOINT_ADDRESS = '10.0.0.10';
export const CLUSTER_ADDRESS = '10.0.0.20';
/** On the route, but nobody is there: packets are lost. */
const LOST_ADDRESS = '10.0.99.99';
export const CLUSTER_CA = '/etc/kubernetes/pki/ca.crt';
export const KUBECONFIG_PATH = '/var/lib/kubelet/kubeconfig';

/** Every endpoint answers TLS with a certificate that the node trusts, unless it is `lost` or has a fault. */
export interface Vpc {
  /** Host names whose packets are lost. */
  readonly lost?: readonly string[];
  /** By host name, what is wrong with its TLS. */
  readonly faults?: Readonly<Record<string, TlsFault>>;
  /** What the API server says of the node itself. */
  readonly node?: NodeAnswer;
  /** What S3 gives: path of the request → file on the host. */
  readonly bucket?: Readonly<Record<string, string>>;
  /** Unix socket on the host at which somebody speaks HTTP as S3, in place of `bucket`. */
  readonly s3?: string;
  /** Unix socket on the host at which somebody speaks HTTP as CloudWatch Logs; left out: everything is taken and forgotten. */
  readonly logs?: string;
}

/** `cut`: the server ends the handshake; `silent`: it never answers it. */
export type TlsFault = 'wrong-ca' | 'wrong-name' | 'expired' | 'not-yet-valid' | 'cut' | 'silent';

export interface NodeAnswer {
  /** 0: none ever. A token that AWS would not accept is answered with 401 whatever stands here. */
  readonly status: 0 | 200 | 307 | 401 | 403 | 404 | 500;
  /** Where 307 sends the node. */
  readonly location?: string;
  /** Sends the token back in the answer. */
  readonly echoes?: boolean;
  /** Of the condition Ready; default false. */
  readonly isReady?: boolean;
}

/** What vpc-server.ts reads; `vpc` for every request, so that it can be changed. */
export interface VpcData {
  readonly addresses: readonly string[];
  readonly authorities: { readonly aws: Certificate; readonly cluster: Certificate };
  readonly vpc: Vpc;
}

export const AWS_AUTHORITY = 'Test root of AWS';
export const CLUSTER_AUTHORITY = 'kubernetes';

export function makeVpcData(vpc: Vpc): VpcData {
  const authorities = { aws: makeAuthority(AWS_AUTHORITY), cluster: makeAuthority(CLUSTER_AUTHORITY) };
  return { addresses: [ENDPOINT_ADDRESS, CLUSTER_ADDRESS], authorities, vpc };
}

/** Name of an AWS service's endpoint in the node's region. */
export function endpointOf(service: (typeof SERVICES)[number]): string {
  return endpointHost(service, REGION)!;
}

export function filesOfVpc({ authorities, vpc: { lost = [] } }: VpcData): Readonly<Record<string, NodeFile>> {
  const hosts = [
    ...SERVICES.map((service) => [ENDPOINT_ADDRESS, endpointOf(service)] as const),
    [CLUSTER_ADDRESS, CLUSTER_HOST] as const,
  ];
  const lines = hosts.map(([address, host]) => `${lost.includes(host) ? LOST_ADDRESS : address} ${host}\n`).join('');
  return {
    '/etc/hosts': `127.0.0.1 localhost\n${lines}`,
    '/etc/resolv.conf': 'nameserver 169.254.169.253\n',
    '/etc/ssl/certs/ca-certificates.crt': authorities.aws.cert,
    [CLUSTER_CA]: authorities.cluster.cert,
    [KUBECONFIG_PATH]: KUBECONFIG,
  };
}

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters:
  - name: kubernetes
    cluster:
      certificate-authority: ${CLUSTER_CA}
      server: https://${CLUSTER_HOST}
contexts:
  - name: kubelet
    context: { cluster: kubernetes, user: kubelet }
current-context: kubelet
users:
  - name: kubelet
    user:
      exec:
        apiVersion: client.authentication.k8s.io/v1beta1
        command: aws
        args: [eks, get-token, --cluster-name, ${CLUSTER}, --region, ${REGION}]
`;
