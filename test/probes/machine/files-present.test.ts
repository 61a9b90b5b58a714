import { HostError } from '../../../src/host/host.ts';
import { filesPresent } from '../../../src/probes/machine/files-present.ts';
import { testCases } from '../fakes.ts';

const shipped = {
  '/usr/bin/nodeadm': '',
  '/usr/bin/kubelet': '',
  '/usr/bin/containerd': '',
  '/etc/eks/image-credential-provider/ecr-credential-provider': '',
};
const known = { os: 'al2023' };

testCases(filesPresent, [
  {
    title: 'what the image brings is enough before the bootstrap',
    known,
    files: shipped,
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  {
    title: 'each that the bootstrap should have written',
    known,
    files: {
      ...shipped,
      '/usr/bin/kubelet': '',
      '/etc/eks/kubelet/environment': '',
      '/etc/containerd/config.toml': '',
      '/etc/kubernetes/kubelet/config.json': '',
    },
    gives: ['/etc/kubernetes/pki/ca.crt', '/var/lib/kubelet/kubeconfig'].map((path) => ({
      outcome: 'fail',
      code: 'file-missing',
      facts: { path },
    })),
  },
  {
    title: 'the kubelet’s configuration where its arguments name it',
    known,
    files: {
      ...shipped,
      '/etc/eks/kubelet/environment':
        "NODEADM_KUBELET_ARGS='--image-credential-provider-config=/etc/eks/x.json --config=/opt/kubelet/config.yaml'\n",
      '/etc/containerd/config.toml': '',
      '/etc/kubernetes/pki/ca.crt': '',
      '/var/lib/kubelet/kubeconfig': '',
      '/opt/kubelet/config.yaml': '',
    },
    gives: [{ outcome: 'ok', code: 'ok', facts: {} }],
  },
  { title: 'another system', known: { os: 'rhel' }, gives: [{ outcome: 'skipped', code: 'os-unknown', facts: {} }] },
  {
    title: 'a system named like a method',
    known: { os: 'constructor' },
    gives: [{ outcome: 'skipped', code: 'os-unknown', facts: {} }],
  },
  {
    title: 'a mount that does not answer',
    known,
    system: {
      kindOf: async () => {
        throw new HostError('mount-stuck', '/usr');
      },
    },
    gives: [{ outcome: 'timeout', code: 'mount-stuck', facts: { path: '/usr' } }],
  },
]);
