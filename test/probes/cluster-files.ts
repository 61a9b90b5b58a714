// The files of a node that has been told which cluster to join.

export interface ClusterFiles {
  readonly server: string;
  readonly ca: string;
  readonly cluster?: string | null;
  readonly nodeName?: string | null;
}

export const NODE_NAME = 'ip-10-0-12-7.us-west-2.compute.internal';

export function clusterFiles({
  server,
  ca,
  cluster = 'prod',
  nodeName = NODE_NAME,
}: ClusterFiles): Readonly<Record<string, string>> {
  const args =
    cluster === null ? '[eks, get-token]' : `[eks, get-token, --cluster-name, ${cluster}, --region, us-west-2]`;
  const kubeconfig = `apiVersion: v1
kind: Config
clusters:
  - name: kubernetes
    cluster:
      certificate-authority-data: ${Buffer.from(ca).toString('base64')}
      server: ${JSON.stringify(server)}
users:
  - name: kubelet
    user:
      exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: aws, args: ${args}}
`;
  const override =
    nodeName === null
      ? {}
      : { '/etc/eks/kubelet/environment': `NODEADM_KUBELET_ARGS="--hostname-override=${nodeName} --v=2"\n` };
  return { '/var/lib/kubelet/kubeconfig': kubeconfig, ...override };
}
