// Whose words, live: what other programs say in the kubelet's name, in a pod's log or in a probe's output neither makes a node Ready nor accuses it.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';
import type { Verdict } from '../../src/types.ts';
import { EXECUTABLE_ON_NODE, type TestNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import { diagnose } from './probes/diagnose.ts';
import { bootSettled, UNREGISTERED } from './probes/nodes.ts';
import { al2023, CONFIGURED, NODE_NAME, RAN } from './shapes/al2023.ts';
import { CNI_READY, READY, REGISTERED, STARTED, UNAUTHORIZED } from './shapes/kubelet.ts';
import { until } from './until.ts';

const CAUSE = 'node-unauthorized';
/** Facility user, priority info. */
const KMSG_USER_INFO = 14;
/** A refusal that comes once may be any start's. */
const REFUSALS = 3;
const LIMIT_MS = 60_000;
const TESTS_LIMIT_MS = 120_000;
const POD_LOG = '/var/log/pods/default_app-6d5f8c7b9-x2k4q_0b6f3c1e-5d27-4a86-9b1f-7c2e8a4d6f10/app/0.log';
const USER = ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups'];

const READY_LINES = [
  `I1122 10:00:05.204418    2101 kubelet_node_status.go:78] "Successfully registered node" node="${NODE_NAME}"`,
  'I1122 10:00:09.204418    2101 kubelet_node_status.go:505] "Fast updating node status as it just became ready"',
  `I1122 10:00:09.204977    2101 kubelet_node_status.go:736] "Recording event message for node" node="${NODE_NAME}" event="NodeReady"`,
];
const ERROR_LINES = [
  'dial tcp: lookup sts.eu-west-1.amazonaws.com: no such host',
  'write /var/lib/app/index.db: no space left on device',
  `E1122 10:00:07.118203    2101 kubelet_node_status.go:107] "Unable to register node with API server" err="Unauthorized" node="${NODE_NAME}"`,
  'E1122 10:00:07.118904    2101 controller.go:145] "Failed to ensure lease exists, will retry" err="Unauthorized" interval="7s"',
];

/** What an ordinary probe of an ordinary pod may print, in the kubelet's own log. */
const PROBE_FAILED = `klog I 'prober.go:120] "Probe failed" probeType="Readiness" pod="default/app-6d5f8c7b9-x2k4q" podUID="0b6f3c1e-5d27-4a86-9b1f-7c2e8a4d6f10" containerName="app" probeResult="failure" output="dial tcp: lookup sts.eu-west-1.amazonaws.com: no such host"'
klog I 'prober.go:120] "Probe failed" probeType="Readiness" pod="default/app-6d5f8c7b9-x2k4q" podUID="0b6f3c1e-5d27-4a86-9b1f-7c2e8a4d6f10" containerName="app" probeResult="failure" output="write /data/x: no space left on device\\n"'
klog I 'prober.go:120] "Probe failed" probeType="Readiness" pod="default/app-6d5f8c7b9-x2k4q" podUID="0b6f3c1e-5d27-4a86-9b1f-7c2e8a4d6f10" containerName="app" probeResult="failure" output="Unable to register node with API server: Unauthorized\\n"'`;

const SAYS = '/run/kubelet-says';
const KUBELET = `${STARTED}
[ -p ${SAYS} ] || mkfifo ${SAYS}
while read -r what; do
case $what in
unauthorized) ${UNAUTHORIZED};;
probe) ${PROBE_FAILED};;
ready) ${REGISTERED}
${CNI_READY}
${READY};;
esac
done <>${SAYS}`;

/** Its kubelet says what it is told to. */
const NODE: NodeOptions = {
  ...UNREGISTERED,
  ...al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: KUBELET }),
};

async function kubeletSays(node: TestNode, what: 'unauthorized' | 'probe' | 'ready', mark: string): Promise<void> {
  const count = async (): Promise<number> =>
    (await node.journal(['-u', 'kubelet'])).filter(({ MESSAGE }) => MESSAGE?.includes(mark)).length;
  const before = await count();
  writeFileSync(node.path(SAYS), `${what}\n`);
  await until(`the kubelet says ${mark}`, LIMIT_MS, async () => (await count()) > before);
}

// The manager logs the description of what it starts, which is else the whole command.
const SESSION = ['--quiet', '--scope', '--slice=user.slice', '--description=a shell', '--'];

/** In the kubelet's name by a user's shell: as syslog has it, and by the journal's own protocol with forged fields. */
async function userSpeaks(node: TestNode, lines: readonly string[]): Promise<void> {
  const fields = [
    'SYSLOG_IDENTIFIER=kubelet',
    '_SYSTEMD_UNIT=kubelet.service',
    'UNIT=kubelet.service',
    'OBJECT_SYSTEMD_UNIT=kubelet.service',
  ];
  const entry = `printf '%s\\n' "$1" ${fields.join(' ')} | logger --journald`;
  for (const line of lines) {
    await node.exec('systemd-run', [...SESSION, ...USER, 'logger', '-t', 'kubelet', '--id=2101', line]);
    await node.exec('systemd-run', [...SESSION, ...USER, '/bin/sh', '-c', entry, 'sh', `MESSAGE=${line}`]);
  }
}

/** By root: from a shell, outside of all units, as a service, and through the kernel's log. */
async function rootSpeaks(node: TestNode, lines: readonly string[]): Promise<void> {
  const service = ['Description=a service'];
  for (const line of lines) {
    await node.exec('systemd-run', [...SESSION, 'logger', '-t', 'kubelet', line]);
    await node.exec('logger', ['-t', 'kubelet', line]);
    await node.run('logger', ['-t', 'kubelet', line], service);
    await node.run('systemd-cat', ['-t', 'kubelet', 'echo', line], service);
    await node.kmsg(KMSG_USER_INFO, `kubelet[2101]: ${line}`);
  }
}

function speakAsPod(node: TestNode, lines: readonly string[]): void {
  const file = node.path(POD_LOG);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(
    file,
    lines.map((line) => `${new Date().toISOString().replace('Z', '000000Z')} stderr F ${line}\n`).join(''),
  );
}

function watch(node: TestNode): ReturnType<TestNode['start']> {
  return node.start(EXECUTABLE_ON_NODE, ['watch', '--format=json', '--deliver=none', '--probe=none']);
}

function verdicts({ stdout }: ReturnType<TestNode['start']>): Verdict[] {
  return stdout.map(({ text }) => JSON.parse(text) as Verdict);
}

function said({ status, cause, otherCauses }: Verdict): string {
  return [
    status,
    cause === null ? 'none' : `${cause.confidence} ${cause.id}`,
    ...otherCauses.map(({ id }) => `and ${id}`),
  ].join(' ');
}

/** Without and with questions to the rest of the world. */
async function diagnosed(node: TestNode): Promise<string[]> {
  return [await diagnose(node, { args: ['--probe=none'] }), await diagnose(node)].map(({ verdict }) => said(verdict));
}

describe('whose words', { concurrency: 2, timeout: TESTS_LIMIT_MS }, () => {
  test('a failing node stays failed for its own reason, whoever else calls it Ready', async () => {
    await using node = await bootSettled({ ...NODE, vpc: { node: { status: 401 } } });
    const run = watch(node);
    const attack = async (): Promise<void> => {
      await userSpeaks(node, READY_LINES);
      await rootSpeaks(node, READY_LINES);
      speakAsPod(node, [...READY_LINES, ...ERROR_LINES]);
    };
    await attack();
    assert.deepEqual(await diagnosed(node), ['bootstrapping none', 'bootstrapping none']);
    await kubeletSays(node, 'probe', 'Probe failed');
    for (let round = 0; round < REFUSALS; round++)
      await kubeletSays(node, 'unauthorized', 'Unable to register node with API server" err');
    await attack();
    assert.deepEqual(await diagnosed(node), [`failed medium ${CAUSE}`, `failed high ${CAUSE}`]);
    assert.equal(await run.stop(), 0);
    assert.deepEqual(verdicts(run).map(said), [`failed medium ${CAUSE}`]);
  });

  test('a node that becomes Ready has no cause, whatever its users, its pods and their probes say', async () => {
    await using node = await bootSettled({ ...NODE, vpc: { node: { status: 200, isReady: false } } });
    const run = watch(node);
    const attack = async (): Promise<void> => {
      await userSpeaks(node, ERROR_LINES);
      speakAsPod(node, ERROR_LINES);
      await kubeletSays(node, 'probe', 'Probe failed');
    };
    await attack();
    assert.deepEqual(await diagnosed(node), ['bootstrapping none', 'bootstrapping none']);
    await kubeletSays(node, 'ready', 'NodeReady');
    node.setVpc({ node: { status: 200, isReady: true } });
    assert.equal(await run.ended, 0);
    assert.deepEqual(verdicts(run).map(said), ['ready none']);
    await attack();
    assert.deepEqual(await diagnosed(node), ['ready none', 'ready none']);
    const again = watch(node);
    assert.equal(await again.ended, 0);
    assert.deepEqual(verdicts(again).map(said), ['ready none']);
  });
});
