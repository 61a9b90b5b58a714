// Are the programs there that the boot runs, each a file that this image's machine can execute?
import type { Fault, ImageCheck } from '../check.ts';
import type { Image } from '../image.ts';

type Code =
  | 'kubelet-missing'
  | 'bootstrap-missing'
  | 'containerd-missing'
  | 'runc-missing'
  | 'token-program-missing'
  | 'credential-provider-missing'
  | 'iptables-missing'
  | 'program-of-another-machine'
  | 'program-not-executable';

interface Program {
  readonly code: Code;
  /** The first that is there counts. */
  readonly places: readonly string[];
  readonly os?: Image['os'];
}

const PROGRAMS: readonly Program[] = [
  { code: 'kubelet-missing', places: ['/usr/bin/kubelet'] },
  { code: 'bootstrap-missing', places: ['/etc/eks/bootstrap.sh'], os: 'al2' },
  { code: 'bootstrap-missing', places: ['/usr/bin/nodeadm'], os: 'al2023' },
  { code: 'containerd-missing', places: ['/usr/bin/containerd'] },
  { code: 'runc-missing', places: ['/usr/sbin/runc', '/usr/bin/runc'] },
  { code: 'runc-missing', places: ['/usr/bin/containerd-shim-runc-v2'] },
  { code: 'token-program-missing', places: ['/usr/bin/aws-iam-authenticator'], os: 'al2' },
  { code: 'token-program-missing', places: ['/usr/bin/aws', '/usr/local/bin/aws'], os: 'al2023' },
  {
    code: 'credential-provider-missing',
    places: ['/etc/eks/image-credential-provider/ecr-credential-provider'],
    os: 'al2023',
  },
  { code: 'iptables-missing', places: ['/usr/sbin/iptables', '/sbin/iptables'] },
];
/** Whatever it is, it came with the system and fits the machine. */
const REFERENCE = '/usr/lib/systemd/systemd';
const HEAD_BYTES = 20;
const MACHINE_AT = 18;
const MACHINES: Readonly<Record<number, string>> = { 62: 'x86_64', 183: 'aarch64' };
const EXECUTE_BITS = 0o111;

export const programs: ImageCheck<Code> = {
  name: 'programs',
  faults: {
    'kubelet-missing': {
      says: 'There is no kubelet: {path} is missing.',
      fix: 'Build on an EKS-optimized AMI of this Kubernetes version.',
    },
    'bootstrap-missing': {
      says: 'The program that joins the cluster is missing: {path}.',
      fix: 'Build on an EKS-optimized AMI.',
    },
    'containerd-missing': {
      says: 'The container runtime is missing: {path}.',
      fix: 'Install containerd in the version that the EKS AMI has.',
    },
    'runc-missing': { says: 'containerd cannot start containers without {path}.', fix: 'Install runc and containerd.' },
    'token-program-missing': {
      says: 'The kubelet gets its token from {path}, which is missing.',
      fix: 'Install it where the kubeconfig of the EKS AMI names it.',
    },
    'credential-provider-missing': {
      says: 'The kubelet gets the credentials for ECR from {path}, which is missing.',
      fix: 'Keep /etc/eks/image-credential-provider of the EKS AMI.',
    },
    'iptables-missing': {
      says: "The kubelet's unit runs {path} before its start, which is missing.",
      fix: 'Install iptables.',
    },
    'program-of-another-machine': {
      says: '{path} is {found}, and the image is for {machine}.',
      fix: 'Install the build for {machine}.',
    },
    'program-not-executable': {
      says: '{path} cannot be executed (its mode is {mode}).',
      fix: 'Run chmod 0755 on it.',
    },
  },
  async look(image) {
    const machine = (await headOf(image, REFERENCE))?.machine ?? null;
    const asked = PROGRAMS.filter(({ os }) => os === undefined || os === image.os);
    return (await Promise.all(asked.map((program) => lookAt(image, program, machine)))).flat();
  },
};

async function lookAt(image: Image, { code, places }: Program, machine: string | null): Promise<Fault<Code>[]> {
  for (const path of places) {
    const head = (await image.kindOf(path)) === 'file' ? await headOf(image, path) : null;
    if (head === null) continue;
    if (head.mode !== undefined && (head.mode & EXECUTE_BITS) === 0)
      return [{ code: 'program-not-executable', values: { path, mode: (head.mode & 0o777).toString(8) } }];
    if (head.machine === 'script' || machine === null || head.machine === machine) return [];
    return [
      {
        code: 'program-of-another-machine',
        values: { path, found: head.machine ?? 'no program of this machine', machine },
      },
    ];
  }
  return [{ code, values: { path: places[0]! } }];
}

interface Head {
  /** `script` by its first two characters, null for what is neither that nor ELF of a machine that EKS has. */
  readonly machine: string | null;
  readonly mode: number | undefined;
}

async function headOf(image: Image, path: string): Promise<Head | null> {
  const file = await image.open(path);
  if (file === null) return null;
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    await file.readAt(head, 0);
    const isElf = head.toString('latin1', 0, 4) === '\x7fELF';
    const machine = isElf ? (MACHINES[head.readUInt16LE(MACHINE_AT)] ?? null) : null;
    return { machine: head.toString('latin1', 0, 2) === '#!' ? 'script' : machine, mode: file.mode };
  } finally {
    await file.close();
  }
}
