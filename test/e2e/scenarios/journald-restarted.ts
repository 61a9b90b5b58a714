import { appendFileSync } from 'node:fs';
import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';
import { STARTED } from '../shapes/kubelet.ts';
import { journalSays } from '../journal-says.ts';

const GO = '/run/go';

/** The kubelet fails only after the restart, so the line can only come through the new journald. */
export const journaldRestarted: Scenario = {
  title: 'AL2023: journald is restarted in the middle of the boot',
  node: al2023(
    {
      nodeadmConfig: CONFIGURED,
      nodeadmRun: RAN,
      kubelet: `${STARTED}
until [ -e ${GO} ]; do sleep 0.2; done
klog E 'run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"'
exit 1`,
    },
    seed('#!/bin/bash\necho hello\n'),
  ),
  during: async (node) => {
    await journalSays(node, 'kubelet', 'Started kubelet');
    await node.shell('systemctl restart systemd-journald');
    appendFileSync(node.path(GO), '');
  },
  expected: { status: 'failed', cause: 'swap-enabled', evidence: ['running with swap on is not supported'] },
  withinSeconds: 90,
};
