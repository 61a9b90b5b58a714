// The unit graph of an EKS node on Ubuntu: cloud-init before sysinit.target and its final stage after multi-user.target, the kubelet a snap.
import type { NodeOptions } from '../node-options.ts';
import { seed } from './cloud-init.ts';
import { kubeletProgram, LINES_FILE, program } from './program.ts';

export interface UbuntuPrograms {
  /** Bash; the body of /etc/eks/bootstrap.sh. */
  readonly bootstrap: string;
  readonly kubelet: string;
}

/** Debian's units of cloud-init are ordered as Ubuntu's are. */
export function ubuntu({ bootstrap, kubelet }: UbuntuPrograms): NodeOptions {
  return {
    hostname: 'ip-10-0-1-23',
    units: {
      'snap.kubelet-eks.daemon.service': `[Unit]
Description=Service for snap application kubelet-eks.daemon
Requires=-.mount
Wants=network.target
After=-.mount network.target

[Service]
ExecStart=/usr/bin/kubelet-eks.daemon
SyslogIdentifier=kubelet-eks.daemon
Restart=on-failure
RestartSec=10
`,
    },
    files: {
      ...LINES_FILE,
      ...seed('#!/bin/bash\n/etc/eks/bootstrap.sh prod-blue\n'),
      '/etc/os-release':
        'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="22.04"\nPRETTY_NAME="Ubuntu 22.04.5 LTS"\n',
      '/etc/eks/bootstrap.sh': program(bootstrap),
      '/usr/bin/kubelet-eks.daemon': kubeletProgram('v1.31.0', kubelet),
    },
  };
}
