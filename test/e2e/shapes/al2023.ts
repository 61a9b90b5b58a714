// The unit graph of an EKS node on Amazon Linux 2023: nodeadm before and after cloud-init, containerd and kubelet started by nodeadm.
import { ORDINARY_INSTANCE } from '../imds.ts';
import type { NodeFile } from '../node-file.ts';
import type { NodeOptions } from '../node-options.ts';
import { AMAZON_CLOUD_INIT_UNITS } from './cloud-init.ts';
import { kubeletProgram, LINES_FILE, program } from './program.ts';

export const NODE_NAME = 'ip-10-0-1-23.us-west-2.compute.internal';

export interface Al2023Programs {
  /** Bash; what `nodeadm init --skip run` and `--skip config` do. */
  readonly nodeadmConfig: string;
  readonly nodeadmRun: string;
  readonly kubelet: string;
}

/** containerd is the real one, with Debian's unit and the configuration that `files` give it. */
export function al2023(
  { nodeadmConfig, nodeadmRun, kubelet }: Al2023Programs,
  files: Readonly<Record<string, NodeFile>> = {},
): NodeOptions {
  return {
    hostname: NODE_NAME,
    imds: ORDINARY_INSTANCE,
    vpc: {},
    units: {
      ...AMAZON_CLOUD_INIT_UNITS,
      'nodeadm-boot-hook.service': `[Unit]
Description=EKS Nodeadm Boot Hook
Before=nodeadm-config.service systemd-networkd-wait-online.service
After=systemd-networkd.service

[Service]
Type=oneshot
ExecStart=/usr/bin/nodeadm-internal boot-hook

[Install]
WantedBy=multi-user.target
`,
      'nodeadm-config.service': `[Unit]
Description=EKS Nodeadm Config
Before=cloud-init.service
After=systemd-networkd-wait-online.service

[Service]
Type=oneshot
ExecStart=/usr/bin/nodeadm init --skip run

[Install]
WantedBy=multi-user.target
`,
      'nodeadm-run.service': `[Unit]
Description=EKS Nodeadm Run
After=nodeadm-config.service cloud-final.service
Requires=nodeadm-config.service

[Service]
Type=oneshot
ExecStart=/usr/bin/nodeadm init --skip config

[Install]
WantedBy=multi-user.target
`,
      'kubelet.service': `[Unit]
Description=Kubernetes Kubelet
After=containerd.service
Wants=containerd.service

[Service]
Slice=runtime.slice
EnvironmentFile=/etc/eks/kubelet/environment
ExecStart=/usr/bin/kubelet $NODEADM_KUBELET_ARGS
Restart=on-failure
RestartForceExitStatus=SIGPIPE
RestartSec=5
KillMode=process
`,
    },
    files: {
      ...LINES_FILE,
      '/etc/os-release':
        'NAME="Amazon Linux"\nVERSION="2023"\nID="amzn"\nID_LIKE="fedora"\nVERSION_ID="2023"\nPRETTY_NAME="Amazon Linux 2023.9.20251117"\n',
      '/etc/eks/kubelet/environment': `NODEADM_KUBELET_ARGS="--hostname-override=${NODE_NAME}"\n`,
      '/etc/eks/kubelet-version.txt': 'v1.34.1\n',
      '/etc/eks/image-credential-provider/ecr-credential-provider': { text: '', mode: 0o755 },
      '/etc/kubernetes/kubelet/config.json': '{}\n',
      '/etc/containerd/config.toml': 'version = 2\n',
      '/usr/bin/nodeadm-internal': program(BOOT_HOOK),
      '/usr/bin/nodeadm': program(`if [ "$3" = run ]; then\n${nodeadmConfig}\nelse\n${nodeadmRun}\nfi`),
      '/usr/bin/kubelet': kubeletProgram('v1.34.1-eks-113cf36', kubelet),
      ...files,
    },
  };
}

const BOOT_HOOK = `
nodeadm_json info boot-hook/boot_hook.go:44 'Waiting for consistent network interfaces..'
nodeadm_json info boot-hook/boot_hook.go:60 'Completed boot hook!'`;

/** The configuration phase of a good boot. */
export const CONFIGURED = `
nodeadm_json info init/init.go:55 'Checking user is root..'
nodeadm_json info init/init.go:65 'Loading configuration..'
nodeadm_json info init/init.go:84 'Enriching configuration..'
nodeadm_json info init/init.go:170 'Fetched kubelet version' ',"version":"v1.34.1"'
nodeadm_json info init/init.go:171 'Fetching instance details..'
sdk DEBUG 'attempting waiter request, attempt count: 1'
nodeadm_json info init/init.go:201 'Instance details populated' ',"details":{"id":"i-0123456789abcdef0","region":"us-west-2","type":"m5.large"}'
nodeadm_json info init/init.go:89 'Loaded configuration' ',"config":{"metadata":{},"spec":{"cluster":{"name":"prod-blue"}}}'
nodeadm_json info init/init.go:217 'Configuring daemon...' ',"name":"containerd"'
nodeadm_json info init/init.go:217 'Configuring daemon...' ',"name":"kubelet"'
nodeadm_json info init/init.go:156 'done!' ',"duration":0.4'`;

/** The run phase, as nodeadm does it: start a daemon, wait until it is active. */
export const RAN = `
run_daemon() {
  nodeadm_json info init/init.go:233 'Ensuring daemon is running..' ",\\"name\\":\\"$1\\""
  systemctl start --no-block "$1"
  until [ "$(systemctl show --value -p ActiveState "$1")" = active ]; do sleep 0.25; done
  nodeadm_json info init/init.go:237 'Daemon is running' ",\\"name\\":\\"$1\\""
}
nodeadm_json info init/init.go:55 'Checking user is root..'
nodeadm_json info init/init.go:252 'Setting up system aspect..' ',"name":"local-disk"'
nodeadm_json info system/local_disk.go:26 'Not configuring local disks!'
run_daemon containerd
run_daemon kubelet
nodeadm_json info init/init.go:156 'done!' ',"duration":1.9'`;
