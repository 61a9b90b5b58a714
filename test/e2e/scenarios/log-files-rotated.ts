import assert from 'node:assert/strict';
import type { Scenario } from '../scenario.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { seed } from '../shapes/cloud-init.ts';
import { REGISTERED, RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { journalSays } from '../journal-says.ts';
import { verdictsOf } from '../verdicts.ts';

const ROUNDS = 20;
/** A follower that is woken reads within this time; only then may a truncation take the line away. */
const READ_WITHIN_SECONDS = 0.4;

/** The folder does not exist when the boot begins. A hundred lines, the one that counts, a hundred more; then the file is moved away or copied and emptied. */
const WRITE_AND_ROTATE = `
mkdir -p /var/log/aws-routed-eni
log=/var/log/aws-routed-eni/ipamd.log
noise() { for _ in {1..100}; do zap info ipamd/ipamd.go:700 'IP pool stats: total: 14, assigned: 0'; done >>$log; }
for round in {1..${ROUNDS}}; do
  noise
  zap error aws-k8s-agent/main.go:42 "Initialization failure: ipamd init: failed to retrieve attached ENIs info: operation error EC2: DescribeNetworkInterfaces, https response error StatusCode: 403, RequestID: $round, api error UnauthorizedOperation: You are not authorized to perform this operation." >>$log
  noise
  if ((round % 2)); then mv $log $log.$round; else sleep ${READ_WITHIN_SECONDS}; cp $log $log.$round; : >$log; fi
done
echo all written`;

export const logFilesRotated: Scenario = {
  title: 'AL2023: log files that come late are moved away and emptied while they are written',
  node: al2023(
    {
      nodeadmConfig: CONFIGURED,
      nodeadmRun: RAN,
      kubelet: `${STARTED}\n${REGISTERED}\nsleep 1\n${WRITE_AND_ROTATE}${RUNS_ON}`,
    },
    seed('#!/bin/bash\necho hello\n'),
  ),
  during: async (node) => {
    await journalSays(node, 'kubelet', 'all written');
    await node.shell(`sleep 1; systemctl stop ${ANALYZER}`);
  },
  expected: { status: 'failed', cause: 'cni-iam-denied' },
  withinSeconds: 120,
  also: (_verdict, node) => {
    const { final, evidence } = verdictsOf(node).at(-1)!;
    assert.equal(final, false, 'the boot goes on, and the next run with it');
    const counts = evidence.filter(({ stream }) => stream === 'ipamd').map(({ count }) => count);
    assert.deepEqual(Math.max(...counts), ROUNDS, 'every line once, across all rotations');
  },
};
