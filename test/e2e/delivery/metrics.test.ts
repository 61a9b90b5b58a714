// What a boot counts and measures, by the built executable on a node against a CloudWatch Logs that is not ours: every number is held
// against the journal of the boot that made it.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, fact, recordBar } from '../../../build/bars.ts';
import { directivesOf, metricsIn } from '../../render/cloudwatch/emf-schema.ts';
import { type Moto, prepareMoto, startMoto } from '../moto.ts';
import { NODE_NAME } from '../shapes/al2023.ts';
import { until } from '../until.ts';
import { type DeliveringNode, deliveringNode, GROUP, INSTANCE } from './delivering-node.ts';

const IDENTITY = '--probe=instance-metadata-reachable,cluster-configured';
const SEEN_LIMIT_MS = 30_000;
const READY_LIMIT_MS = 60_000;
const REGISTERING_MS = 1_500;
const DECISIVE_LIMIT_SECONDS = 20;
const REPEATING_LIMIT_SECONDS = 75;
const EVERY_MS = 5_000;

const klog = (level: string, text: string): string => `${level}0102 09:00:01.123456    2711 ${text}`;
const REFUSED = klog(
  'E',
  'run.go:74] "command failed" err="failed to parse kubelet flag: unknown flag: --no-such-flag"',
);
const UNAUTHORIZED = klog(
  'E',
  `kubelet_node_status.go:107] "Unable to register node with API server" err="Unauthorized" node="${NODE_NAME}"`,
);
const STARTED = klog('I', 'server.go:525] "Kubelet version" kubeletVersion="v1.34.1-eks-113cf36"');
const ATTEMPTING = klog('I', `kubelet_node_status.go:75] "Attempting to register node" node="${NODE_NAME}"`);
const REGISTERED = klog('I', `kubelet_node_status.go:78] "Successfully registered node" node="${NODE_NAME}"`);
const READY = klog(
  'I',
  `kubelet_node_status.go:736] "Recording event message for node" node="${NODE_NAME}" event="NodeReady"`,
);

type Event = Readonly<Record<string, unknown>>;

const missing = await prepareMoto();

async function nodeOn(t: TestContext, moto: Moto): Promise<DeliveringNode> {
  return deliveringNode(t, { port: Number(new URL(moto.url).port) });
}

/** Waits for an event that counts this, and says how long after `startMs` it could be read. */
async function secondsTo(moto: Moto, count: string, startMs: number, limitMs: number): Promise<number> {
  await until(`${count} can be read`, limitMs, async () => (await moto.count(GROUP, INSTANCE, `"${count}":1`)) > 0);
  return (performance.now() - startMs) / 1_000;
}

/** Seconds since boot at which the kubelet said a line, by the journal of the node. */
async function saidAt({ node }: DeliveringNode, line: string): Promise<number> {
  const entries = await node.shell('journalctl -b -u kubelet -o json --no-pager');
  const all = entries.split('\n').map((entry) => JSON.parse(entry || '{}') as Record<string, string>);
  return Number(all.find(({ MESSAGE }) => MESSAGE === line)!['__MONOTONIC_TIMESTAMP']) / 1e6;
}

function told(kind: string, limit: number, seen: number): void {
  recordBar(atMost({ bar: `first ${kind} line → event readable from the server`, unit: 's', wanted: limit, seen }));
  assert.ok(seen <= limit, `${seen} s`);
}

describe('metrics', { skip: missing ?? false, concurrency: true }, () => {
  test('a boot that fails, recovers and is looked at beside counts each thing once, with its own times', async (t) => {
    const moto = await startMoto(t);
    await using delivering = await nodeOn(t, moto);
    const { say } = delivering;
    await delivering.startWatch('--deadline=24h', IDENTITY);
    await secondsTo(moto, 'BootStarted', performance.now(), SEEN_LIMIT_MS);
    const startMs = performance.now();
    say(STARTED, REFUSED);
    told('decisive', DECISIVE_LIMIT_SECONDS, await secondsTo(moto, 'FailureSeen', startMs, SEEN_LIMIT_MS));
    await delivering.diagnose(IDENTITY);
    await delivering.killWatch();
    await delivering.startWatch('--deadline=24h', IDENTITY);
    say(STARTED, ATTEMPTING);
    await sleep(REGISTERING_MS);
    say(REGISTERED, READY);
    assert.equal(await delivering.watchEnd(READY_LIMIT_MS), 'success');

    const groups = await moto.cli('logs', 'describe-log-groups');
    const [group] = (groups as { logGroups: { logGroupName: string; retentionInDays: number }[] }).logGroups;
    assert.deepEqual([group!.logGroupName, group!.retentionInDays], [GROUP, 30]);

    const events: readonly Event[] = await moto.readBack(GROUP, INSTANCE);
    const counts = events
      .flatMap((event) => Object.entries(metricsIn(event)))
      .filter(([name]) => !name.endsWith('Seconds'));
    assert.deepEqual(Object.fromEntries(counts.filter(([name]) => !name.includes('NodePool'))), {
      'Cluster BootStarted': 1,
      'Cluster FailureSeen': 1,
      'Cluster+Cause FailureSeen': 1,
      'Cluster BootstrapFailure': 0,
      'Cluster FailureRecovered': 1,
      'Cluster+Cause FailureRecovered': 1,
    });
    assert.equal(new Set(counts.map(([name]) => name)).size, counts.length, 'nothing counts twice');
    const causes = events.flatMap((event) => ('Cause' in event ? [event['Cause']] : []));
    assert.deepEqual(causes, ['kubelet-flag-invalid', 'kubelet-flag-invalid']);

    const last = events.at(-1)!;
    const [attempted, registered, ready] = await Promise.all(
      [ATTEMPTING, REGISTERED, READY].map((line) => saidAt(delivering, line)),
    );
    const near = (name: string, wanted: number, byAtMost: number): void => {
      assert.ok(Math.abs(Number(last[name]) - wanted) <= byAtMost, `${name} ${String(last[name])}, not ${wanted}`);
    };
    near('BootToReadySeconds', ready!, 1.5);
    near('PhaseRegistrationSeconds', registered! - attempted!, 0.01);
    const times = Object.keys(last).filter((name) => name.endsWith('Seconds') && /^[A-Z]/.test(name));
    assert.ok(
      times.every((name) => Number(last[name]) > 0),
      times.join(),
    );
    const billed = events.flatMap((event) =>
      directivesOf(event).flatMap(({ Dimensions, Metrics }) =>
        Metrics.map(({ Name }) => `${Name} × ${Dimensions.length}`),
      ),
    );
    const sizes = events.map((event) => Buffer.byteLength(JSON.stringify(event)));
    const kilobytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_024);
    recordBar(
      fact(
        'a boot that fails and recovers: events, KiB, metric values',
        '≤ 6, ≤ 64, ≤ 40',
        `${events.length}, ${kilobytes}, ${billed.length}`,
        events.length <= 6 && kilobytes <= 64 && billed.length <= 40,
      ),
    );
  });

  test('an error that repeats without progress is told within 75 s', async (t) => {
    const moto = await startMoto(t);
    await using delivering = await nodeOn(t, moto);
    const { say } = delivering;
    await delivering.startWatch('--deadline=24h', IDENTITY);
    await secondsTo(moto, 'BootStarted', performance.now(), SEEN_LIMIT_MS);
    say(STARTED, ATTEMPTING);
    const startMs = performance.now();
    const timer = setInterval(() => say(UNAUTHORIZED), EVERY_MS);
    t.after(() => clearInterval(timer));
    say(UNAUTHORIZED);
    const limitMs = REPEATING_LIMIT_SECONDS * 1_000 + SEEN_LIMIT_MS;
    told('repeating', REPEATING_LIMIT_SECONDS, await secondsTo(moto, 'FailureSeen', startMs, limitMs));
    clearInterval(timer);
    const [seen] = (await moto.readBack(GROUP, INSTANCE)).filter((event) => event['FailureSeen'] === 1);
    assert.deepEqual([seen!['Cause'], seen!['status'], seen!['final']], ['node-unauthorized', 'failed', false]);
  });
});
