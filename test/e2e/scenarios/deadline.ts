import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';

/** Twelve minutes less a little. */
const UPTIME_SECONDS = 690;

/** Its clock says that the boot began long ago; the boot itself is still under way. */
export const deadline: Scenario = {
  title: 'AL2023: at the deadline a boot that makes progress is not called a failure, and the analyzer ends',
  node: {
    ...al2023(
      { nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: `sleep 10\n${STARTED}${RUNS_ON}` },
      seed('#!/bin/bash\necho hello\n'),
    ),
    uptimeSeconds: UPTIME_SECONDS,
  },
  expected: { status: 'bootstrapping', cause: null, final: true },
  withinSeconds: 90,
};
