// Was the machine that the image was made of a node before, or did it keep what a first boot must make anew?
import type { Fault, ImageCheck } from '../check.ts';
import type { Image } from '../image.ts';

type Code = 'node-state' | 'kubeconfig-filled-in' | 'machine-id-kept' | 'cloud-init-state';

/** Written by the kubelet, bootstrap.sh, the network plugin and containerd once the node has joined. */
const STATE = [
  '/var/lib/kubelet/cpu_manager_state',
  '/var/lib/kubelet/memory_manager_state',
  '/var/lib/kubelet/dra_manager_state',
  '/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint',
  '/etc/kubernetes/pki/ca.crt',
  '/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf',
  '/etc/cni/net.d/10-aws.conflist',
];
const STATE_FOLDERS = [
  '/var/lib/kubelet/pki',
  '/var/lib/kubelet/pods',
  '/var/lib/containerd/io.containerd.grpc.v1.cri/sandboxes',
];
const KUBECONFIG = '/var/lib/kubelet/kubeconfig';
const PLACEHOLDER = 'MASTER_ENDPOINT';
const MACHINE_ID = '/etc/machine-id';
const INSTANCES = '/var/lib/cloud/instances';

export const leftovers: ImageCheck<Code> = {
  name: 'leftovers',
  faults: {
    'node-state': {
      says: 'The image was a node before: {path} is there (and {more} more).',
      fix: 'Make the image of a machine that never joined, or remove these files last.',
    },
    'kubeconfig-filled-in': {
      says: '{path} names a cluster already ({server}); bootstrap.sh finds no place to fill in.',
      fix: 'Restore the file of the EKS AMI, with MASTER_ENDPOINT in it.',
    },
    'machine-id-kept': {
      says: '{path} is filled in: all nodes of this image will have one id, and one DHCP client.',
      fix: 'Run truncate -s 0 /etc/machine-id before the image is made.',
    },
    'cloud-init-state': {
      says: 'cloud-init keeps the state of another instance: {path}.',
      fix: 'Run cloud-init clean --logs before the image is made.',
    },
  },
  async look(image) {
    const own = image.isRunning ? [] : [...(await machineIdFaults(image)), ...(await cloudInitFaults(image))];
    return [...(await stateFaults(image)), ...(await kubeconfigFaults(image)), ...own];
  },
};

async function stateFaults(image: Image): Promise<Fault<Code>[]> {
  const kinds = await Promise.all(STATE.map((path) => image.kindOf(path)));
  const filled = await Promise.all(STATE_FOLDERS.map((folder) => image.names(folder)));
  const [first, ...more] = [
    ...STATE.filter((_path, at) => kinds[at] !== null),
    ...STATE_FOLDERS.filter((_folder, at) => filled[at]!.length > 0),
  ];
  if (first === undefined) return [];
  return [{ code: 'node-state', values: more.length === 0 ? { path: first } : { path: first, more: more.length } }];
}

/** On AL2023 nodeadm writes the whole file anew. */
async function kubeconfigFaults(image: Image): Promise<Fault<Code>[]> {
  if (image.os !== 'al2') return [];
  const text = (await image.text(KUBECONFIG)) ?? PLACEHOLDER;
  const server = /^\s*server:\s*"?(?<server>[^\s"]{1,200})/m.exec(text)?.groups?.['server'];
  if (server === undefined || server.includes(PLACEHOLDER)) return [];
  return [{ code: 'kubeconfig-filled-in', values: { path: KUBECONFIG, server } }];
}

async function machineIdFaults(image: Image): Promise<Fault<Code>[]> {
  const id = (await image.text(MACHINE_ID)) ?? '';
  return /^[\da-f]{32}\s*$/.test(id) ? [{ code: 'machine-id-kept', values: { path: MACHINE_ID } }] : [];
}

async function cloudInitFaults(image: Image): Promise<Fault<Code>[]> {
  const [name] = await image.names(INSTANCES);
  return name === undefined ? [] : [{ code: 'cloud-init-state', values: { path: `${INSTANCES}/${name}` } }];
}
