import type { Scenario } from '../scenario.ts';
import { al2, BOOTSTRAPPED } from '../shapes/al2.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';

const TEMPLATE = '/etc/eks/containerd/containerd-config.toml';

/** The image lacks the file; everything that is said of it comes from the real sed, bash and cloud-init. */
export const al2ContainerdConfigMissing: Scenario = {
  title: "AL2: bootstrap.sh does not find containerd's configuration",
  node: al2({
    bootstrap: `rm ${TEMPLATE}\n${BOOTSTRAPPED}`,
    pullSandboxImage: 'true',
    kubelet: `${STARTED}${RUNS_ON}`,
  }),
  expected: { status: 'failed', cause: 'containerd-config-missing', evidence: [`sed: can't read ${TEMPLATE}`] },
  withinSeconds: 60,
};
