// `check-image` over root file systems: good ones, each fault once by its value, and hostile ones.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { IMAGE_CHECKS } from '../../src/image/index.ts';
import { readBuiltInPack } from '../../src/signatures/built-in-pack.ts';
import type { System } from '../../src/host/system.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { checkImage, elf, imageRoot, link, type Os, put, ROOMY, store } from './image-roots.ts';

interface Found {
  readonly status: string;
  readonly faults: readonly { readonly code: string; readonly cause: { readonly id: string }; readonly says: string }[];
  readonly notChecked: readonly { readonly check: string; readonly why: string }[];
}

async function found(
  root: string,
  args: readonly string[] = [],
  system: Partial<System> = {},
): Promise<Found & { readonly exit: number }> {
  const { code, out, err } = await checkImage([root, '--format', 'json', ...args], system);
  assert.equal(err, '');
  return { ...(JSON.parse(out) as Found), exit: code };
}

for (const os of ['al2', 'al2023'] as const)
  test(`a good image of ${os} has no fault`, async (t) => {
    const root = imageRoot(t, os);
    assert.deepEqual(await checkImage([root, '--instance-types', 'm6i.large,c7g.xlarge']), {
      code: 0,
      out: `OK: nothing was found in ${root} (${os} ${os === 'al2' ? '2' : '2023'}) that would keep it from becoming a node.

Looked at: programs, services, runtime, kernel, pod-limits, leftovers, disk-and-swap. Only a boot proves an image.
`,
      err: '',
    });
  });

test('the text names fault, cause and fix, and the exit code is 10', async (t) => {
  const root = imageRoot(t, 'al2');
  appendFileSync(join(root, 'etc/fstab'), '/swapfile none swap sw 0 0\n');
  assert.deepEqual(await checkImage([root]), {
    code: 10,
    out: `FAULTY: 1 fault in ${root} (al2 2).

swap-on: /etc/fstab turns swap on (/swapfile).
  Becomes  swap-enabled: Swap is switched on
  Fix      Take it out; the kubelet of the EKS AMI does not start with swap.

Looked at: programs, services, runtime, kernel, pod-limits, leftovers, disk-and-swap. Only a boot proves an image.
`,
    err: '',
  });
});

const UNIT = 'etc/systemd/system';
const BOLT = 'var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db';
interface Case {
  readonly os?: Os;
  readonly does: (root: string) => void;
  readonly cause: string;
  readonly says: string;
  readonly args?: readonly string[];
  readonly system?: Partial<System>;
}
const gone = (path: string) => (root: string) => rmSync(join(root, path), { recursive: true });
const written = (path: string, text: string | Buffer) => (root: string) => put(root, path, text);

const FAULTS: Readonly<Record<string, readonly Case[]>> = {
  'kubelet-missing': [
    {
      does: gone('usr/bin/kubelet'),
      cause: 'not-an-eks-ami',
      says: 'There is no kubelet: /usr/bin/kubelet is missing.',
    },
  ],
  'bootstrap-missing': [
    {
      os: 'al2',
      does: gone('etc/eks/bootstrap.sh'),
      cause: 'not-an-eks-ami',
      says: 'The program that joins the cluster is missing: /etc/eks/bootstrap.sh.',
    },
    {
      does: gone('usr/bin/nodeadm'),
      cause: 'not-an-eks-ami',
      says: 'The program that joins the cluster is missing: /usr/bin/nodeadm.',
    },
  ],
  'containerd-missing': [
    {
      does: gone('usr/bin/containerd'),
      cause: 'containerd-not-running',
      says: 'The container runtime is missing: /usr/bin/containerd.',
    },
  ],
  'runc-missing': [
    {
      does: gone('usr/sbin/runc'),
      cause: 'oci-runtime-failed',
      says: 'containerd cannot start containers without /usr/sbin/runc.',
    },
  ],
  'token-program-missing': [
    {
      os: 'al2',
      does: gone('usr/bin/aws-iam-authenticator'),
      cause: 'token-generation-failed',
      says: 'The kubelet gets its token from /usr/bin/aws-iam-authenticator, which is missing.',
    },
    {
      does: gone('usr/bin/aws'),
      cause: 'token-generation-failed',
      says: 'The kubelet gets its token from /usr/bin/aws, which is missing.',
    },
  ],
  'credential-provider-missing': [
    {
      does: gone('etc/eks/image-credential-provider/ecr-credential-provider'),
      cause: 'credential-provider-invalid',
      says: 'The kubelet gets the credentials for ECR from /etc/eks/image-credential-provider/ecr-credential-provider, which is missing.',
    },
  ],
  'credential-config-missing': [
    {
      os: 'al2',
      does: gone('etc/eks/image-credential-provider/config.json'),
      cause: 'credential-provider-invalid',
      says: '/etc/eks/image-credential-provider/config.json is missing, and the program beside it is of no use without.',
    },
  ],
  'iptables-missing': [
    {
      does: gone('etc/alternatives/iptables'),
      cause: 'kubelet-unit-invalid',
      says: "The kubelet's unit runs /usr/sbin/iptables before its start, which is missing.",
    },
  ],
  'program-of-another-machine': [
    {
      does: written('usr/bin/kubelet', elf(183)),
      cause: 'arch-mismatch',
      says: '/usr/bin/kubelet is aarch64, and the image is for x86_64.',
    },
    {
      does: written('usr/bin/containerd', '<html>404 Not Found</html>'),
      cause: 'arch-mismatch',
      says: '/usr/bin/containerd is no program of this machine, and the image is for x86_64.',
    },
  ],
  'program-not-executable': [
    {
      does: (root) => chmodSync(join(root, 'usr/bin/nodeadm'), 0o644),
      cause: 'kernel-module-or-selinux',
      says: '/usr/bin/nodeadm cannot be executed (its mode is 644).',
    },
  ],
  'kubelet-unit-unusable': [
    {
      does: gone(`${UNIT}/kubelet.service`),
      cause: 'kubelet-unit-invalid',
      says: 'systemd cannot start the kubelet: kubelet.service is missing.',
    },
    {
      does(root) {
        gone(`${UNIT}/kubelet.service`)(root);
        link(root, `${UNIT}/kubelet.service`, '/dev/null');
      },
      cause: 'kubelet-unit-invalid',
      says: 'systemd cannot start the kubelet: kubelet.service is masked.',
    },
  ],
  'containerd-unit-unusable': [
    {
      does: (root) => link(root, `${UNIT}/containerd.service`, '/dev/null'),
      cause: 'containerd-not-running',
      says: 'systemd cannot start containerd: containerd.service is masked.',
    },
  ],
  'bootstrap-not-enabled': [
    {
      does: gone(`${UNIT}/multi-user.target.wants/nodeadm-run.service`),
      cause: 'bootstrap-not-run',
      says: 'nodeadm-run.service is disabled, so nothing joins the node to its cluster.',
    },
  ],
  'cloud-init-off': [
    {
      does: written('etc/cloud/cloud-init.disabled', ''),
      cause: 'bootstrap-not-run',
      says: '/etc/cloud/cloud-init.disabled switches cloud-init off, so no user data runs.',
    },
  ],
  'time-service-off': [
    {
      does: gone(`${UNIT}/multi-user.target.wants/chronyd.service`),
      cause: 'clock-skew',
      says: 'No time service is enabled (chronyd, systemd-timesyncd or ntpd), so the clock is set by nothing.',
    },
  ],
  'containerd-template-missing': [
    {
      os: 'al2',
      does: gone('etc/eks/containerd/containerd-config.toml'),
      cause: 'containerd-config-missing',
      says: "The template of containerd's configuration is missing: /etc/eks/containerd/containerd-config.toml.",
    },
  ],
  'sandbox-setting-missing': [
    {
      os: 'al2',
      does: written('etc/eks/containerd/containerd-config.toml', 'version = 2\n# sandbox_image = "x"\n'),
      cause: 'sandbox-image-not-found',
      says: '/etc/eks/containerd/containerd-config.toml names no sandbox image, so none is pulled.',
    },
  ],
  'sandbox-script-missing': [
    {
      os: 'al2',
      does: gone('etc/eks/containerd/pull-sandbox-image.sh'),
      cause: 'sandbox-image-not-found',
      says: 'The script that pulls the pause image is missing: /etc/eks/containerd/pull-sandbox-image.sh.',
    },
  ],
  'sandbox-image-gone': [
    {
      does: written(BOLT, store('pruned')),
      cause: 'sandbox-image-removed',
      says: "The pause image that the AMI brings is not in containerd's store (60 images are there).",
    },
    {
      does: gone('var/lib/containerd'),
      cause: 'sandbox-image-removed',
      says: "The pause image that the AMI brings is not in containerd's store (0 images are there).",
    },
  ],
  'cni-program-missing': [
    {
      does: gone('opt/cni/bin/loopback'),
      cause: 'cni-binary-missing',
      says: 'The CNI program /opt/cni/bin/loopback is missing.',
    },
  ],
  'module-missing': [
    {
      does: (root) =>
        put(
          root,
          'usr/lib/modules/6.1.134-150.224.amzn2023.x86_64/modules.dep',
          'kernel/a/overlay.ko:\nkernel/b/veth.ko.zst:\nnf_conntrack.ko:\n',
        ),
      cause: 'kernel-module-or-selinux',
      says: 'The kernel 6.1.134-150.224.amzn2023.x86_64 has no module ip_tables or nf_tables.',
    },
  ],
  'module-forbidden': [
    {
      does: written('etc/modprobe.d/cis.conf', 'install cramfs /bin/true\ninstall overlay /bin/false\n'),
      cause: 'kernel-module-or-selinux',
      says: '/etc/modprobe.d/cis.conf forbids the kernel module overlay.',
    },
  ],
  'sysctl-wrong': [
    {
      does: written('etc/sysctl.d/zz-cis.conf', '# hardening\nnet.ipv4.ip_forward = 0\n'),
      cause: 'kernel-module-or-selinux',
      says: '/etc/sysctl.d/zz-cis.conf sets net.ipv4.ip_forward = 0; the node needs 1.',
    },
    {
      does: written('etc/sysctl.conf', 'vm/overcommit_memory=0\n'),
      cause: 'kernel-module-or-selinux',
      says: '/etc/sysctl.conf sets vm.overcommit_memory = 0; the node needs 1.',
    },
  ],
  'inotify-low': [
    {
      does: written('etc/sysctl.d/inotify.conf', 'fs.inotify.max_user_instances=64\n'),
      cause: 'inotify-limit',
      says: '/etc/sysctl.d/inotify.conf sets fs.inotify.max_user_instances = 64, too few for a node.',
    },
  ],
  'label-wrong': [
    {
      does: written('etc/selinux/config', 'SELINUX=enforcing\n'),
      system: {
        runTool: async (_name, args) => ({
          exitCode: 0,
          stdout: `system_u:object_r:${args.at(-1)!.endsWith('/nodeadm') ? 'user_tmp_t' : 'bin_t'}:s0\n`,
          stderr: '',
        }),
      },
      cause: 'kernel-module-or-selinux',
      says: 'SELinux enforces, and /usr/bin/nodeadm is labelled user_tmp_t: systemd may not start it.',
    },
  ],
  'pod-limits-missing': [
    {
      os: 'al2',
      does: gone('etc/eks/eni-max-pods.txt'),
      cause: 'eni-max-pods-missing',
      says: '/etc/eks/eni-max-pods.txt is missing.',
    },
  ],
  'instance-type-unknown': [
    {
      os: 'al2',
      does: () => undefined,
      args: ['--instance-types', 'm6i.large,m9z.24xlarge'],
      cause: 'eni-max-pods-missing',
      says: '/etc/eks/eni-max-pods.txt does not know m9z.24xlarge.',
    },
  ],
  'node-state': [
    {
      does: written('var/lib/kubelet/cpu_manager_state', '{}'),
      cause: 'kubelet-state-stale',
      says: 'The image was a node before: /var/lib/kubelet/cpu_manager_state is there.',
    },
    {
      os: 'al2',
      does(root) {
        put(root, 'etc/kubernetes/pki/ca.crt', 'x');
        put(root, 'var/lib/kubelet/pki/kubelet-client-current.pem', 'x');
      },
      cause: 'kubelet-state-stale',
      says: 'The image was a node before: /etc/kubernetes/pki/ca.crt is there (and 1 more).',
    },
  ],
  'kubeconfig-filled-in': [
    {
      os: 'al2',
      does: written('var/lib/kubelet/kubeconfig', '    server: https://ABCDEF.gr7.eu-central-1.eks.amazonaws.com\n'),
      cause: 'cluster-ca-mismatch',
      says: '/var/lib/kubelet/kubeconfig names a cluster already (https://ABCDEF.gr7.eu-central-1.eks.amazonaws.com); bootstrap.sh finds no place to fill in.',
    },
  ],
  'machine-id-kept': [
    {
      does: written('etc/machine-id', `${'ab'.repeat(16)}\n`),
      cause: 'network-not-online',
      says: '/etc/machine-id is filled in: all nodes of this image will have one id, and one DHCP client.',
    },
  ],
  'cloud-init-state': [
    {
      does: written('var/lib/cloud/instances/i-0a1b2c3d4e5f60718/datasource', ''),
      cause: 'bootstrap-not-run',
      says: 'cloud-init keeps the state of another instance: /var/lib/cloud/instances/i-0a1b2c3d4e5f60718.',
    },
  ],
  'space-low': [
    {
      does: () => undefined,
      system: { space: async () => ({ ...ROOMY, availableBytes: 700 * 1024 ** 2 }) as const },
      cause: 'disk-full',
      says: 'The file system of / has 700 MiB free.',
    },
  ],
  'inodes-low': [
    {
      does: () => undefined,
      system: { space: async () => ({ ...ROOMY, freeInodes: 900 }) as const },
      cause: 'disk-full',
      says: 'The file system of / has 900 inodes free.',
    },
  ],
  'swap-on': [
    {
      does: (root) => link(root, `${UNIT}/swap.target.wants/data-swap.swap`, '/usr/lib/os-release-none'),
      cause: '',
      says: '',
    },
    {
      does(root) {
        put(root, 'usr/lib/systemd/system/data-swapfile.swap', '[Swap]\n');
        link(root, `${UNIT}/swap.target.wants/data-swapfile.swap`, '/usr/lib/systemd/system/data-swapfile.swap');
      },
      cause: 'swap-enabled',
      says: '/etc/systemd/system/swap.target.wants/data-swapfile.swap turns swap on (data-swapfile.swap).',
    },
    {
      does: written('etc/systemd/zram-generator.conf', '[zram0]\nzram-size = ram / 2\n'),
      cause: 'swap-enabled',
      says: '/etc/systemd/zram-generator.conf turns swap on (zram0).',
    },
  ],
};

describe('every fault, alone in a good image', { concurrency: 4 }, () => {
  for (const [code, cases] of Object.entries(FAULTS))
    for (const [at, { os = 'al2023', does, cause, says, args, system }] of cases.entries())
      test(`${code} ${at + 1}`, async (t) => {
        const root = imageRoot(t, os);
        does(root);
        const { faults, notChecked, exit } = await found(root, args, system);
        const expected = cause === '' ? [] : [[code, cause, says]];
        assert.deepEqual(
          faults.map((fault) => [fault.code, fault.cause.id, fault.says]),
          expected,
        );
        assert.deepEqual([notChecked, exit], [[], expected.length === 0 ? 0 : 10]);
      });
});

test('every fault has a case here and one cause in the pack', () => {
  const codes = IMAGE_CHECKS.flatMap(({ faults }) => Object.keys(faults));
  assert.deepEqual(Object.keys(FAULTS).toSorted(), codes.toSorted());
  assert.deepEqual(
    readBuiltInPack()
      .causes.flatMap(({ image }) => image)
      .toSorted(),
    codes.toSorted(),
  );
});

test('swap that the kubelet is told to bear is no fault', async (t) => {
  const root = imageRoot(t, 'al2');
  appendFileSync(join(root, 'etc/fstab'), '/swapfile none swap sw 0 0\n');
  put(root, 'etc/kubernetes/kubelet/kubelet-config.json', '{"failSwapOn": false}');
  assert.deepEqual((await found(root)).faults, []);
});

test('a later file undoes a setting, and one of the same name replaces it', async (t) => {
  const root = imageRoot(t, 'al2023');
  put(root, 'etc/sysctl.d/10-cis.conf', 'net.ipv4.ip_forward=0\n');
  put(root, 'etc/sysctl.d/90-pods.conf', 'net.ipv4.ip_forward=1\n');
  put(root, 'usr/lib/sysctl.d/50-own.conf', 'kernel.panic=0\n');
  put(root, 'etc/sysctl.d/50-own.conf', '');
  assert.deepEqual((await found(root)).faults, []);
});

test('an image older than the baked pause image need not hold it', async (t) => {
  const root = imageRoot(t, 'al2023');
  rmSync(join(root, 'etc/eks/bootstrap.sh'));
  rmSync(join(root, 'var/lib/containerd'), { recursive: true });
  assert.deepEqual((await found(root)).faults, []);
});

test('a store with branches is read to its leaves', async (t) => {
  const root = imageRoot(t, 'al2023');
  put(root, BOLT, store('many'));
  assert.deepEqual((await found(root)).faults, []);
});

describe('hostile images', () => {
  for (const [title, spoil] of [
    ['half of it', (bytes: Buffer) => bytes.subarray(0, bytes.length / 8)],
    ['no store at all', () => Buffer.from('hello')],
    ['both meta pages damaged', (bytes: Buffer) => bytes.fill(0, 16, 64).fill(0, 4096 + 16, 4096 + 64)],
    ['pages that lead to themselves', (bytes: Buffer) => selfLeading(bytes)],
  ] as const)
    test(`a metadata store with ${title} is not checked, and the rest is`, async (t) => {
      const root = imageRoot(t, 'al2023');
      put(root, BOLT, spoil(store('many')));
      rmSync(join(root, 'usr/bin/kubelet'));
      const { faults, notChecked } = await found(root);
      assert.deepEqual(
        [faults.map(({ code }) => code), notChecked.map(({ check }) => check)],
        [['kubelet-missing'], ['runtime']],
      );
    });

  test('a link out of the root is followed inside it: what the host has does not count', async (t) => {
    const outside = tempFolder(t, { kubelet: 'x' });
    const root = imageRoot(t, 'al2023');
    rmSync(join(root, 'usr/bin/kubelet'));
    link(root, 'usr/bin/kubelet', join(outside, 'kubelet'));
    rmSync(join(root, 'usr/bin/nodeadm'));
    link(root, 'usr/bin/nodeadm', `${'../'.repeat(20)}bin/sh`);
    const { faults } = await found(root);
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['kubelet-missing', 'bootstrap-missing'],
    );
  });

  test('pipes, circles, folders and huge files neither block nor end the run', { timeout: 20_000 }, async (t) => {
    const root = imageRoot(t, 'al2');
    const replaced = (path: string, make: (at: string) => void): void => {
      rmSync(join(root, path), { recursive: true, force: true });
      make(join(root, path));
    };
    replaced('usr/bin/kubelet', (at) => execFileSync('mkfifo', [at]));
    replaced('etc/fstab', (at) => execFileSync('mkfifo', [at]));
    replaced('usr/sbin/runc', (at) => mkdirSync(at));
    replaced('etc/sysctl.conf', (at) => truncateSync(put(root, 'etc/sysctl.conf', '') ?? at, 2 ** 40));
    link(root, 'etc/modprobe.d', 'modprobe.d');
    const { faults, notChecked, exit } = await found(root);
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['kubelet-missing', 'runc-missing'],
    );
    assert.deepEqual(
      notChecked.map(({ check }) => check),
      ['disk-and-swap'],
    );
    assert.equal(exit, 10);
  });

  test('what the image says cannot move the cursor or break a line', async (t) => {
    const root = imageRoot(t, 'al2023');
    put(root, 'var/lib/cloud/instances/i-1\u001b[2J\nOK: fine', '');
    const { out } = await checkImage([root]);
    assert.match(out, /instance: \/var\/lib\/cloud\/instances\/i-1\\x1b\[2J\\nOK: fine\.$/m);
  });

  test('what is no root, or no image that can be checked, is one sentence', async (t) => {
    const empty = tempFolder(t, {});
    assert.deepEqual(await checkImage([empty]), {
      code: 3,
      out: '',
      err: `eks-bootstrap-analyzer: ${empty} holds no /etc/os-release: it is not the root of a Linux system.\n`,
    });
    const other = tempFolder(t, { 'etc/os-release': 'ID=bottlerocket\n' });
    assert.deepEqual(await checkImage([other]), {
      code: 2,
      out: '',
      err: `eks-bootstrap-analyzer: ${other} holds bottlerocket; only images of Amazon Linux 2 and 2023 can be checked.\n`,
    });
    assert.equal((await checkImage([join(empty, 'none')])).code, 3);
    assert.match(
      (await checkImage([empty, '--instance-types', 'large'])).err,
      /^eks-bootstrap-analyzer: --instance-types cannot hold "large"/,
    );
  });
});

/** Every page but the meta pages becomes a branch whose only child is itself. */
function selfLeading(bytes: Buffer): Buffer {
  for (let page = 2; page < bytes.length / 4096; page++) {
    const start = page * 4096;
    bytes.writeUInt16LE(1, start + 8);
    bytes.writeUInt16LE(1, start + 10);
    bytes.writeUInt32LE(0, start + 12);
    bytes.writeBigUInt64LE(BigInt(page), start + 24);
  }
  return bytes;
}
