import type { Scenario } from '../scenario.ts';
import { al2, BOOTSTRAPPED } from '../shapes/al2.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { program } from '../shapes/program.ts';
import { endpointOf } from '../vpc.ts';

/** No error line at all: the unit starts, the login never answers, bootstrap.sh waits for the unit. What proves it is the process, and the probe of the endpoint. */
export const al2EcrLoginHang: Scenario = {
  title: 'AL2: the login to ECR never answers',
  node: {
    ...al2(
      {
        bootstrap: BOOTSTRAPPED,
        pullSandboxImage: 'password=$(aws ecr get-login-password --region us-west-2)\necho "$password"',
        kubelet: `${STARTED}${RUNS_ON}`,
      },
      { '/usr/bin/aws': program('while sleep 60; do :; done') },
    ),
    vpc: { lost: [endpointOf('ecr-api')] },
  },
  expected: {
    status: 'failed',
    cause: 'ecr-login-hang',
    evidence: ['pull sandbox image defined in containerd config.toml', 'aws ecr get-login-password'],
  },
  withinSeconds: 240,
};
