import type { Scenario } from '../scenario.ts';
import { al2, BOOTSTRAPPED } from '../shapes/al2.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';

/** What is said of each comes from the real cloud-init and bash. */
function broken(title: string, userData: string, cause: string, evidence: readonly string[]): Scenario {
  const programs = { bootstrap: BOOTSTRAPPED, pullSandboxImage: 'true', kubelet: `${STARTED}${RUNS_ON}` };
  return {
    title: `AL2: ${title}`,
    node: al2(programs, seed(userData)),
    expected: { status: 'failed', cause, evidence },
    withinSeconds: 90,
  };
}

export const userDataBroken: readonly Scenario[] = [
  broken(
    'user data ends with an error before bootstrap.sh',
    '#!/bin/bash\nset -e\nacme-agent --install\n/etc/eks/bootstrap.sh prod-blue\n',
    'user-data-script-failed',
    ['part-001'],
  ),
  broken(
    'user data is no script and no document that cloud-init knows',
    'echo hello\n/etc/eks/bootstrap.sh prod-blue\n',
    'user-data-malformed',
    ['Unhandled non-multipart'],
  ),
];
