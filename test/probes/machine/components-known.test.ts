import { HostError } from '../../../src/host/host.ts';
import type { ToolOutput } from '../../../src/host/system.ts';
import { componentsKnown } from '../../../src/probes/machine/components-known.ts';
import { testCases, waiting } from '../fakes.ts';

const AL2023 = 'NAME="Amazon Linux"\nVERSION="2023"\nID="amzn"\nID_LIKE="fedora"\nVERSION_ID="2023"\n';
const SAID: Readonly<Record<string, string>> = {
  kubelet: 'Kubernetes v1.29.0-eks-5e0fdde\n',
  containerd: 'containerd github.com/containerd/containerd 1.7.11 64b8a811b07ba6288238eefc14d898ee0b5b99ba\n',
};

testCases(componentsKnown, [
  {
    title: 'AL2023, by its files',
    files: {
      '/etc/os-release': AL2023,
      '/etc/eks/kubelet-version.txt': 'v1.31.4-eks-aeac579\n',
      '/etc/eks/containerd-version.txt': 'containerd github.com/containerd/containerd v2.0.4 x',
      '/usr/bin/nodeadm': '',
    },
    gives: [
      {
        outcome: 'ok',
        code: 'ok',
        facts: {
          os: 'al2023',
          os_version: '2023',
          kubelet_version: '1.31.4',
          containerd_version: '2.0.4',
          nodeadm: true,
        },
      },
    ],
  },
  {
    title: 'AL2, by its programs',
    files: { '/etc/os-release': AL2023.replaceAll('2023', '2'), '/usr/bin/kubelet': '' },
    system: { runTool: async (name): Promise<ToolOutput> => ({ exitCode: 0, stdout: SAID[name] ?? '', stderr: '' }) },
    gives: [
      {
        outcome: 'ok',
        code: 'ok',
        facts: { os: 'al2', os_version: '2', kubelet_version: '1.29.0', containerd_version: '1.7.11', nodeadm: false },
      },
    ],
  },
  {
    title: 'an image that was not made for EKS',
    files: { '/etc/os-release': 'ID=debian\nVERSION_ID="12"\n' },
    gives: [{ outcome: 'fail', code: 'not-an-eks-image', facts: { os: 'debian', os_version: '12', nodeadm: false } }],
  },
  {
    title: 'a program that hangs',
    system: { runTool: (_name, _args, signal) => waiting(signal) },
    gives: [{ outcome: 'timeout', code: 'time-limit', facts: {} }],
  },
  {
    title: 'a file that this user may not read',
    system: {
      readSmall: async (path) => {
        throw new HostError('unreadable', path);
      },
    },
    gives: [{ outcome: 'skipped', code: 'unreadable', facts: { path: '/etc/os-release' } }],
  },
]);
