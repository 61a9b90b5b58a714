// Root file systems as the build of an image leaves them, small: what `check-image` looks at and nothing else. Every value is made up.
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import { machineDoors } from '../../src/commands/machine-doors.ts';
import type { FileSystemSpace, System } from '../../src/host/system.ts';
import { run } from '../../src/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from '../cli/fake-process.ts';

export type Os = 'al2' | 'al2023';
const KERNEL = '6.1.134-150.224.amzn2023.x86_64';
const MODULES = ['overlay', 'veth', 'nf_conntrack', 'nf_tables', 'xt_comment']
  .map((name) => `kernel/net/${name}.ko.xz: kernel/lib/libcrc32c.ko.xz`)
  .join('\n');

/** The first 64 bytes of a program: only the machine in it differs. */
export function elf(machine: 62 | 183): Buffer {
  const head = Buffer.alloc(64);
  head.write('\x7fELF', 0, 'latin1');
  head.writeUInt16LE(machine, 18);
  return head;
}

/** A store that containerd 1.6 wrote; `pruned` after `ctr images rm`, which leaves the name in the file. */
export function store(name: 'small' | 'many' | 'pruned'): Buffer {
  return gunzipSync(readFileSync(join(import.meta.dirname, 'stores', `${name}.db.gz`)));
}

const EVERYWHERE: Readonly<Record<string, string | Buffer>> = {
  'usr/lib/systemd/systemd': elf(62),
  'usr/bin/kubelet': elf(62),
  'usr/bin/containerd': elf(62),
  'usr/bin/containerd-shim-runc-v2': elf(62),
  'usr/sbin/runc': elf(62),
  'usr/sbin/xtables-nft-multi': elf(62),
  'usr/lib/systemd/system/containerd.service': '[Service]\nExecStart=/usr/bin/containerd\n',
  'usr/lib/systemd/system/chronyd.service': '[Service]\nExecStart=/usr/sbin/chronyd\n',
  'etc/systemd/system/kubelet.service': '[Service]\nExecStart=/usr/bin/kubelet\n',
  'etc/eks/image-credential-provider/ecr-credential-provider': elf(62),
  'etc/eks/image-credential-provider/config.json': '{}',
  'opt/cni/bin/loopback': elf(62),
  [`boot/vmlinuz-${KERNEL}`]: 'kernel',
  [`usr/lib/modules/${KERNEL}/modules.dep`]: MODULES,
  [`usr/lib/modules/${KERNEL}/modules.builtin`]: 'kernel/fs/ext4/ext4.ko\n',
  'usr/lib/modules/5.10.1-removed/modules.order': '',
  'etc/sysctl.d/99-amazon.conf': 'vm.overcommit_memory=1\nkernel.panic=10\nkernel.panic_on_oops = 1\n',
  'etc/selinux/config': 'SELINUX=permissive\n',
  'etc/fstab': 'UUID=1111-2222 / xfs defaults,noatime 1 1\n# /swapfile none swap sw 0 0\n',
  'etc/machine-id': '',
};

const OWN: Readonly<Record<Os, Readonly<Record<string, string | Buffer>>>> = {
  al2023: {
    'etc/os-release': 'NAME="Amazon Linux"\nVERSION_ID="2023"\nID="amzn"\n',
    'usr/bin/nodeadm': elf(62),
    'usr/bin/aws': '#!/bin/sh\n',
    'etc/eks/bootstrap.sh': '#!/bin/sh\nexit 1\n',
    'etc/systemd/system/nodeadm-config.service': '[Service]\n',
    'etc/systemd/system/nodeadm-run.service': '[Service]\n',
    'var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db': store('small'),
  },
  al2: {
    'etc/os-release': 'NAME="Amazon Linux"\nVERSION_ID="2"\nID="amzn"\n',
    'etc/eks/bootstrap.sh': '#!/usr/bin/env bash\n',
    'etc/eks/eni-max-pods.txt': '# pods\nm6i.large 29\nc7g.xlarge 58\n',
    'etc/eks/containerd/containerd-config.toml': 'version = 2\n  sandbox_image = "SANDBOX_IMAGE"\n',
    'etc/eks/containerd/pull-sandbox-image.sh': '#!/usr/bin/env bash\n',
    'usr/bin/aws-iam-authenticator': elf(62),
    'var/lib/kubelet/kubeconfig': 'clusters:\n- cluster:\n    server: MASTER_ENDPOINT\n',
  },
};
const LINKS: Readonly<Record<string, string>> = {
  lib: 'usr/lib',
  'usr/sbin/iptables': '/etc/alternatives/iptables',
  'etc/alternatives/iptables': '/usr/sbin/xtables-nft-multi',
  'etc/systemd/system/multi-user.target.wants/chronyd.service': '/usr/lib/systemd/system/chronyd.service',
};
const WANTED = ['nodeadm-config.service', 'nodeadm-run.service'];

export function imageRoot(t: TestContext, os: Os): string {
  const root = tempFolder(t, {});
  for (const [path, content] of Object.entries({ ...EVERYWHERE, ...OWN[os] })) put(root, path, content);
  const wanted = WANTED.map((unit) => [
    `etc/systemd/system/multi-user.target.wants/${unit}`,
    `/etc/systemd/system/${unit}`,
  ]);
  for (const [path, target] of [...Object.entries(LINKS), ...(os === 'al2023' ? wanted : [])])
    link(root, path!, target!);
  return root;
}

export function put(root: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  chmodSync(join(root, path), 0o755);
}

export function link(root: string, path: string, target: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

export const ROOMY: FileSystemSpace = {
  kind: 'known',
  id: '1',
  availableBytes: 8 * 1024 ** 3,
  usedPercent: 40,
  inodes: 5_000_000,
  freeInodes: 4_000_000,
};

export interface Checked {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** From the arguments to the exit code, through the real doors but for the space of the file system that the test itself runs on. */
export async function checkImage(args: readonly string[], system: Partial<System> = {}): Promise<Checked> {
  const process = fakeProcess(['check-image', ...args]);
  const doors = machineDoors({});
  const code = await run(process, async () => ({
    ...doors,
    async machine(root) {
      const machine = await doors.machine(root);
      return { ...machine, system: { ...machine.system, space: async () => ROOMY, ...system } };
    },
  }));
  return { code, out: process.out(), err: process.err() };
}
