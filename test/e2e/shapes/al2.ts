// The unit graph of an EKS node on Amazon Linux 2: the user data calls bootstrap.sh, which starts containerd, the pause image's pull and the kubelet.
import { ORDINARY_INSTANCE } from '../imds.ts';
import type { NodeFile } from '../node-file.ts';
import type { NodeOptions } from '../node-options.ts';
import { AMAZON_CLOUD_INIT_UNITS, seed } from './cloud-init.ts';
import { kubeletProgram, LINES_FILE, program } from './program.ts';

export interface Al2Programs {
  /** Bash; the body of /etc/eks/bootstrap.sh. */
  readonly bootstrap: string;
  readonly pullSandboxImage: string;
  readonly kubelet: string;
}

export function al2(
  { bootstrap, pullSandboxImage, kubelet }: Al2Programs,
  files: Readonly<Record<string, NodeFile>> = {},
): NodeOptions {
  return {
    hostname: 'ip-10-0-1-23.us-west-2.compute.internal',
    imds: ORDINARY_INSTANCE,
    vpc: {},
    units: {
      ...AMAZON_CLOUD_INIT_UNITS,
      'sandbox-image.service': `[Unit]
Description=pull sandbox image defined in containerd config.toml
After=containerd.service
Requires=containerd.service

[Service]
Type=oneshot
ExecStart=/etc/eks/containerd/pull-sandbox-image.sh
`,
      'kubelet.service': `[Unit]
Description=Kubernetes Kubelet
After=containerd.service sandbox-image.service
Requires=containerd.service sandbox-image.service

[Service]
Slice=runtime.slice
ExecStart=/usr/bin/kubelet
Restart=on-failure
RestartForceExitStatus=SIGPIPE
RestartSec=5
KillMode=process
`,
    },
    files: {
      ...LINES_FILE,
      ...seed('#!/bin/bash\nset -o xtrace\n/etc/eks/bootstrap.sh prod-blue\n'),
      // The wording of systemd 219: `Starting pull sandbox image…` without the unit's name.
      '/etc/systemd/system.conf.d/wording.conf': '[Manager]\nStatusUnitFormat=description\n',
      '/etc/os-release':
        'NAME="Amazon Linux"\nVERSION="2"\nID="amzn"\nID_LIKE="centos rhel fedora"\nVERSION_ID="2"\nPRETTY_NAME="Amazon Linux 2"\n',
      '/etc/eks/containerd/containerd-config.toml': 'version = 2\n',
      '/etc/eks/eni-max-pods.txt': 'm5.large 29\n',
      '/usr/bin/aws-iam-authenticator': { text: '', mode: 0o755 },
      '/etc/eks/bootstrap.sh': program(
        `set -o pipefail -o nounset -o errexit\ntrap 'echo "Exited with error on line $LINENO"' ERR\n${bootstrap}`,
      ),
      '/etc/eks/containerd/pull-sandbox-image.sh': program(pullSandboxImage),
      '/usr/bin/kubelet': kubeletProgram('v1.29.0-eks-5e0fdde', kubelet),
      ...files,
    },
  };
}

/** bootstrap.sh up to the start of the units, in the order of release v20240213. */
export const BOOTSTRAPPED = `
bootstrap INFO 'starting...'
bootstrap INFO 'Using kubelet version 1.29.0'
bootstrap INFO 'Using containerd as the container runtime'
bootstrap INFO 'Using IP family: ipv4'
mkdir -p /etc/containerd
sed 's,SANDBOX_IMAGE,602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/pause:3.5,' /etc/eks/containerd/containerd-config.toml >/etc/containerd/config.toml
systemctl restart containerd
systemctl restart sandbox-image
systemctl start kubelet
bootstrap INFO 'complete!'`;
