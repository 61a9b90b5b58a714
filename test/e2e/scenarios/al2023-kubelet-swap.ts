import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';

export const al2023KubeletSwap: Scenario = {
  title: 'AL2023: the kubelet refuses swap and is restarted every five seconds',
  node: al2023(
    {
      nodeadmConfig: CONFIGURED,
      nodeadmRun: RAN,
      kubelet: `
klog I 'server.go:525] "Kubelet version" kubeletVersion="v1.34.1-eks-113cf36"'
klog E 'run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"'
exit 1`,
    },
    seed('#!/bin/bash\necho hello\n'),
  ),
  expected: { status: 'failed', cause: 'swap-enabled', evidence: ['running with swap on is not supported'] },
  withinSeconds: 60,
};
