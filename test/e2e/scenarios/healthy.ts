import assert from 'node:assert/strict';
import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { seed } from '../shapes/cloud-init.ts';
import { CNI_READY, READY, REGISTERED, RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { verdictsOf } from '../verdicts.ts';

export const healthy: Scenario = {
  title: 'AL2023: a good boot ends Ready with one short record, and a second run adds none',
  node: {
    ...al2023(
      {
        nodeadmConfig: CONFIGURED,
        nodeadmRun: RAN,
        kubelet: `${STARTED}\nsleep 1\n${REGISTERED}\nsleep 1\n${CNI_READY}\nsleep 1\n${READY}${RUNS_ON}`,
      },
      seed('#!/bin/bash\necho hello\n'),
    ),
    vpc: { node: { status: 200, isReady: true } },
  },
  expected: { status: 'ready', cause: null, final: true },
  withinSeconds: 60,
  also: async ({ timeline, evidence }, node) => {
    const phases = [
      'cloud-init',
      'node-config',
      'user-data',
      'bootstrap',
      'containerd',
      'kubelet-start',
      'registration',
      'cni',
      'ready',
    ];
    assert.deepEqual(
      timeline.map(({ phase, state }) => `${phase} ${state}`),
      phases.map((phase) => `${phase} finished`),
    );
    assert.deepEqual(evidence, []);
    await node.shell(`systemctl start ${ANALYZER}; while systemctl is-active --quiet ${ANALYZER}; do sleep 0.1; done`);
    assert.equal(await node.shell(`systemctl show --value -p Result ${ANALYZER}`), 'success');
    assert.equal(verdictsOf(node).length, 1);
  },
};
