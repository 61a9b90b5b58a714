import assert from 'node:assert/strict';
import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';

/** Real cloud-init waits for it, with a tee of its own and one of the script; nodeadm-run waits for cloud-init. */
const USER_DATA = `#!/bin/bash
exec > >(tee -a /var/log/setup.log) 2>&1
echo 'agent: step 1 of 3'
echo 'agent: step 2 of 3, certificates'
echo 'agent: step 3 of 3, waiting for the lock'
flock /run/agent.lock sleep 3600 &
flock /run/agent.lock sleep 3601
`;

export const al2023UserDataHangs: Scenario = {
  title: 'AL2023: a script of user data never ends',
  node: al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: `${STARTED}${RUNS_ON}` }, seed(USER_DATA)),
  expected: { status: 'bootstrapping', cause: 'user-data-script-failed', final: false },
  withinSeconds: 240,
  also({ cause, probes }) {
    assert.equal(cause!.possible, true);
    const { facts, bearing } = probes.find(({ probe }) => probe === 'user-data-ended')!;
    assert.equal(bearing, 'confirms');
    assert.equal(facts['script'], 'scripts/part-001');
    assert.match(String(facts['process']), /^(?:flock \/run\/agent\.lock sleep 360[01]|sleep 360[01])$/);
    assert.match(String(facts['printed']), /agent: step 3 of 3, waiting for the lock$/);
    assert.match(cause!.summary, /scripts\/part-001 has been running for \d+ s, now in (?:flock|sleep) /);
  },
};
