import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/types.ts';
import { EXECUTABLE_ON_NODE, type TestNode } from '../node.ts';
import type { Expected, Scenario } from '../scenario.ts';
import { al2, BOOTSTRAPPED } from '../shapes/al2.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { seed } from '../shapes/cloud-init.ts';
import { RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { until } from '../until.ts';
import { summary, verdictLike, verdictsOf } from '../verdicts.ts';

const TEMPLATE = '/etc/eks/containerd/containerd-config.toml';
const PROGRAMS = {
  bootstrap: `rm ${TEMPLATE}\n${BOOTSTRAPPED}`,
  pullSandboxImage: 'true',
  kubelet: `${STARTED}${RUNS_ON}`,
};
const EXPECTED: Expected = { status: 'failed', cause: 'containerd-config-missing' };
const SAID_LIMIT_MS = 60_000;
const BOOT_OVER = '! systemctl list-jobs --no-legend | grep -q .';

export const analyzerKilled: Scenario = {
  title: 'the analyzer is killed and started again, twice: the same verdict',
  node: al2(PROGRAMS),
  during: async (node) => void (await saysTheSame(node)),
  expected: EXPECTED,
  withinSeconds: 120,
};

/** The user's script prints a verdict of its own: cloud-init brings that to its log, to the journal and to the console. */
export const analyzerReadsItself: Scenario = {
  title:
    'its own verdict stands in the journal, on the console and in the log of cloud-init: the same verdict, the same counts',
  node: al2(
    PROGRAMS,
    seed(
      `#!/bin/bash\n/etc/eks/bootstrap.sh prod-blue\n${EXECUTABLE_ON_NODE} diagnose --deliver none --quiet\nexit 1\n`,
    ),
  ),
  during: async (node) => {
    const { evidence } = await saysTheSame(node);
    const counts = evidence.filter(({ line }) => line.includes('sed:')).map(({ count }) => count);
    assert.deepEqual(counts, [2], 'once from the log of cloud-init, once from the journal');
    const text = `eks-bootstrap-analyzer:     sed: can't read ${TEMPLATE}`;
    assert.equal(await node.shell(`grep -c "${text}" /var/log/cloud-init-output.log`), '1');
    assert.ok(node.console().includes(text));
    assert.equal(
      (await node.journal(['-u', 'cloud-final'])).filter(({ MESSAGE }) => MESSAGE?.includes(text)).length,
      1,
    );
  },
  expected: EXPECTED,
  withinSeconds: 120,
};

/** The first run saw the lines come, one place after the other; from then on every run finds them all, and `watch` does not repeat itself. */
async function saysTheSame(node: TestNode): Promise<Verdict> {
  const first = await verdictLike(node, EXPECTED, SAID_LIMIT_MS);
  await until(
    'the end of the boot',
    SAID_LIMIT_MS,
    async () => (await node.exec('sh', ['-c', BOOT_OVER], { codes: null })).code === 0,
  );
  const said = verdictsOf(node).map(summary);
  const second = await foundAfterKill(node);
  const third = await foundAfterKill(node);
  assert.deepEqual(verdictsOf(node).map(summary), said);
  // What is said at once does not wait for the question which system this is.
  assert.deepEqual(inShort(second), inShort(first));
  assert.deepEqual(essence(third), essence(second));
  return third;
}

/** Kills the analyzer, which systemd starts again; what it finds `diagnose` finds beside it. */
async function foundAfterKill(node: TestNode): Promise<Verdict> {
  const mainPid = async (): Promise<string> => node.shell(`systemctl show --value -p MainPID ${ANALYZER}`);
  const before = await mainPid();
  await node.shell(`systemctl kill --signal=KILL ${ANALYZER}`);
  await until('the next run', SAID_LIMIT_MS, async () => !['0', before].includes(await mainPid()));
  const diagnose = `${EXECUTABLE_ON_NODE} diagnose --deliver none --quiet --format json`;
  const { stdout } = await node.exec('sh', ['-c', diagnose], { codes: null });
  return JSON.parse(stdout) as Verdict;
}

function inShort({ status, cause, node }: Verdict): unknown {
  return [status, cause?.id, cause?.confidence, cause?.summary, node.instanceId, node.cluster];
}

function answer({ status, cause, node }: Verdict): unknown {
  return { status, cause, node };
}

/** What must not change by being said. Which of two streams with the same line is shown depends on which was read first. */
function essence(verdict: Verdict): unknown {
  const counted = (findings: Verdict['symptoms']): unknown => findings.map(({ id, count }) => ({ id, count }));
  const evidence = verdict.evidence.map(({ line, count }) => ({ line, count }));
  return {
    answer: answer(verdict),
    evidence,
    otherCauses: counted(verdict.otherCauses),
    symptoms: counted(verdict.symptoms),
    phase: verdict.phase.current,
  };
}
