import type { Scenario } from '../scenario.ts';
import { until } from '../until.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';
import { CNI_READY, READY, REGISTERED, RUNS_ON, STARTED, UNAUTHORIZED } from '../shapes/kubelet.ts';

export const al2023Unauthorized: Scenario = {
  title: 'AL2023: the API server answers Unauthorized for ever',
  node: {
    ...al2023(
      {
        nodeadmConfig: CONFIGURED,
        nodeadmRun: RAN,
        kubelet: `${STARTED}\nwhile :; do\n${UNAUTHORIZED}\nsleep 7\ndone`,
      },
      seed('#!/bin/bash\necho hello\n'),
    ),
    vpc: { node: { status: 401 } },
  },
  expected: { status: 'failed', cause: 'node-unauthorized', evidence: ['Unauthorized'] },
  withinSeconds: 240,
};

/** A new access entry takes its time to reach all API servers. */
export const al2023UnauthorizedAtFirst: Scenario = {
  title: 'AL2023: the API server answers Unauthorized for 40 s, then the node registers',
  node: {
    ...al2023(
      {
        nodeadmConfig: CONFIGURED,
        nodeadmRun: RAN,
        kubelet: `${STARTED}
end=$((SECONDS + 40))
while [ $SECONDS -lt $end ]; do
${UNAUTHORIZED}
sleep 5
done
${REGISTERED}\nsleep 1\n${CNI_READY}\nsleep 1\n${READY}${RUNS_ON}`,
      },
      seed('#!/bin/bash\necho hello\n'),
    ),
    vpc: { node: { status: 401 } },
  },
  during: async (node) => {
    await until('the registration', 90_000, async () =>
      (await node.journal(['-u', 'kubelet'])).some(({ MESSAGE }) => MESSAGE?.includes('Successfully registered')),
    );
    node.setVpc({ node: { status: 200, isReady: true } });
  },
  expected: { status: 'ready', cause: null, final: true },
  withinSeconds: 120,
  never: ['node-unauthorized'],
};
