// Are the files there that the boot needs? Those that the image brings always, those that the bootstrap writes once its mark is
// there. Files of amazon-eks-ami and of Bottlerocket's kubelet packages.
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'file-missing' | 'os-unknown';

interface FilesOf {
  readonly shipped: readonly string[];
  /** Written by the bootstrap after all of `written`. */
  readonly mark: string;
  readonly written: readonly string[];
  /** One of `written` that the arguments in the mark may name elsewhere, by `--config`. */
  readonly config?: string;
}

/** Of the kubelet; another config would be `--image-credential-provider-config` and the like. */
const CONFIG_ARGUMENT = /(?:^|[\s='"])--config[= ]"?(?<path>\/[\w./-]{1,200})/;

const CA = '/etc/kubernetes/pki/ca.crt';
const KUBECONFIG = '/var/lib/kubelet/kubeconfig';
const CONTAINERD_CONFIG = '/etc/containerd/config.toml';
const FILES: Readonly<Record<string, FilesOf>> = {
  al2: {
    shipped: [
      '/etc/eks/bootstrap.sh',
      '/etc/eks/containerd/containerd-config.toml',
      '/etc/eks/eni-max-pods.txt',
      '/usr/bin/kubelet',
      '/usr/bin/aws-iam-authenticator',
      KUBECONFIG,
    ],
    mark: '/etc/systemd/system/kubelet.service.d/10-kubelet-args.conf',
    written: [CA, '/etc/kubernetes/kubelet/kubelet-config.json'],
    config: '/etc/kubernetes/kubelet/kubelet-config.json',
  },
  al2023: {
    shipped: [
      '/usr/bin/nodeadm',
      '/usr/bin/kubelet',
      '/usr/bin/containerd',
      '/etc/eks/image-credential-provider/ecr-credential-provider',
    ],
    mark: '/etc/eks/kubelet/environment',
    written: [CA, KUBECONFIG, CONTAINERD_CONFIG, '/etc/kubernetes/kubelet/config.json'],
    config: '/etc/kubernetes/kubelet/config.json',
  },
  bottlerocket: {
    shipped: ['/usr/bin/kubelet', '/usr/bin/containerd'],
    mark: '/etc/kubernetes/kubelet/env',
    written: [CA, CONTAINERD_CONFIG, '/etc/kubernetes/kubelet/config', '/etc/kubernetes/kubelet/kubeconfig'],
  },
  ubuntu: {
    shipped: ['/etc/eks/bootstrap.sh', '/etc/kubernetes/kubelet/kubelet-config.json'],
    mark: CA,
    written: [KUBECONFIG],
  },
};

export const filesPresent: Probe<Code> = {
  name: 'files-present',
  stage: 'questions',
  isBase: true,
  answers: {
    ok: { outcome: 'ok', sentence: 'The files that the boot needs are there.' },
    'file-missing': { outcome: 'fail', sentence: '{path} is missing.' },
    'os-unknown': {
      outcome: 'skipped',
      sentence: 'Not asked: it is not known which files this operating system needs.',
    },
  },
  async ask({ system, known }) {
    const os = known.get('os') ?? '';
    const files = Object.hasOwn(FILES, os) ? FILES[os] : undefined;
    if (files === undefined) return { code: 'os-unknown', facts: {} };
    const isThere = async (path: string): Promise<boolean> => (await system.kindOf(path)) !== null;
    const given = (await isThere(files.mark)) ? await system.readSmall(files.mark) : null;
    const config = CONFIG_ARGUMENT.exec(given ?? '')?.groups?.['path'];
    const written = files.written.map((path) => (path === files.config ? (config ?? path) : path));
    const paths = given === null ? files.shipped : [...files.shipped, ...written];
    const there = await Promise.all(paths.map(isThere));
    const missing = paths.filter((_path, at) => !there[at]);
    return missing.length === 0
      ? { code: 'ok', facts: {} }
      : missing.map((path) => ({ code: 'file-missing', facts: { path } }));
  },
};
