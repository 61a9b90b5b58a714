import type { Scenario } from '../scenario.ts';
import { al2023, RAN } from '../shapes/al2023.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { endpointOf } from '../vpc.ts';

/** Each request to EC2 takes its 30 s to time out; cloud-init and the run phase never get their turn. */
const RETRYING = `
nodeadm_json info init/init.go:55 'Checking user is root..'
nodeadm_json info init/init.go:65 'Loading configuration..'
nodeadm_json info init/init.go:84 'Enriching configuration..'
nodeadm_json info init/init.go:171 'Fetching instance details..'
sdk DEBUG 'attempting waiter request, attempt count: 1'
for ((attempt = 2; ; attempt++)); do
  sleep 30
  sdk DEBUG "retrying request EC2/DescribeInstances, attempt $attempt"
done`;

export const al2023NodeadmConfigRetrying: Scenario = {
  title: 'AL2023: nodeadm-config asks EC2 again and again without an answer',
  node: {
    ...al2023({ nodeadmConfig: RETRYING, nodeadmRun: RAN, kubelet: `${STARTED}${RUNS_ON}` }),
    vpc: { lost: [endpointOf('ec2')] },
  },
  expected: { status: 'stalled', cause: 'ec2-api-unreachable', evidence: ['Fetching instance details'] },
  withinSeconds: 240,
};
