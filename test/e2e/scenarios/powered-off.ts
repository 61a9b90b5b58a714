import assert from 'node:assert/strict';
import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { journalSays } from '../journal-says.ts';

const LIMIT_SECONDS = 2;

export const poweredOff: Scenario = {
  title: 'AL2023: the machine is powered off in the middle of the boot: a final verdict within 2 s',
  node: al2023(
    { nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: `${STARTED}${RUNS_ON}` },
    seed('#!/bin/bash\necho hello\n'),
  ),
  during: async (node) => {
    await journalSays(node, 'kubelet', 'Started kubelet');
    await node.powerOff();
  },
  expected: { status: 'bootstrapping', cause: null, final: true },
  withinSeconds: 90,
  also: async (_verdict, node) => {
    const entries = await node.journal(['-u', ANALYZER, '_PID=1']);
    const secondsOf = (start: string): number =>
      Number(entries.find(({ MESSAGE }) => MESSAGE?.startsWith(start))?.['__MONOTONIC_TIMESTAMP']) / 1e6;
    const seconds = secondsOf('Stopped') - secondsOf('Stopping');
    assert.ok(seconds <= LIMIT_SECONDS, `it took ${seconds} s`);
  },
};
