// Which operating system and which versions of the components is this node made of?
import type { System } from '../../host/system.ts';
import { osOf } from '../../lib/os-family.ts';
import { compactFacts } from '../compact-facts.ts';
import type { Probe } from '../probe.ts';

type Code = 'ok' | 'not-an-eks-image';

/** One of these is on every image that is made for EKS. */
const MARKS = ['/etc/eks', '/usr/bin/kubelet', '/snap/bin/kubelet-eks', '/etc/bottlerocket-release'];
const VERSION = /(?:^|[\s/v])(?<version>\d+\.\d+\.\d+)/;

export const componentsKnown: Probe<Code> = {
  name: 'components-known',
  stage: 'facts',
  answers: {
    ok: {
      outcome: 'ok',
      sentence: 'The node runs {os} {os_version} (kubelet {kubelet_version}, containerd {containerd_version}).',
    },
    'not-an-eks-image': {
      outcome: 'fail',
      sentence: 'The image holds neither a kubelet nor the files of EKS ({os} {os_version}).',
    },
  },
  async ask({ system, signal }) {
    const [release, kubelet, containerd, nodeadm, marks] = await Promise.all([
      system.readSmall('/etc/os-release'),
      versionOf(system, signal, 'kubelet', '/etc/eks/kubelet-version.txt'),
      versionOf(system, signal, 'containerd', '/etc/eks/containerd-version.txt'),
      system.kindOf('/usr/bin/nodeadm'),
      Promise.all(MARKS.map((path) => system.kindOf(path))),
    ]);
    const { os, version } = osOf(release ?? '');
    const facts = compactFacts({
      os,
      os_version: version,
      kubelet_version: kubelet,
      containerd_version: containerd,
      nodeadm: nodeadm !== null,
    });
    return { code: marks.every((kind) => kind === null) ? 'not-an-eks-image' : 'ok', facts };
  },
};

/** The file is quicker than the program, which stands on a cold disk; AL2 has no such file. */
async function versionOf(system: System, signal: AbortSignal, program: string, file: string): Promise<string | null> {
  const written = versionIn((await system.readSmall(file)) ?? '');
  if (written !== null) return written;
  return versionIn((await system.runTool(program, ['--version'], signal))?.stdout ?? '');
}

/** `Kubernetes v1.29.0-eks-5e0fdde`, `containerd github.com/containerd/containerd 1.7.27 05044ec…`. */
function versionIn(text: string): string | null {
  return VERSION.exec(text)?.groups?.['version'] ?? null;
}
