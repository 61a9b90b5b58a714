// `watch` on a scripted node, from its arguments to its exit code: what it says, under which number and name, and when it ends.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { metadataAnswers, fakeNetwork, networkFailure } from '../probes/fake-network.ts';
import { directivesOf } from '../render/cloudwatch/emf-schema.ts';
import { type FakeShipper, fakeShipper, UNREACHABLE } from '../sinks/fakes.ts';
import { BOOT_ID, type NodeScript, type Running, type ScriptedNode, scriptedNode } from './scripted-node.ts';

const WATCH = ['watch', '--format', 'json', '--probe', 'none'];
const SWAP =
  'E0506 08:00:20.123456    2711 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"';
const REGISTERED =
  'I0506 08:00:30.679431    3055 kubelet_node_status.go:76] "Successfully registered node" node="ip-10-0-1-17"';
const READY =
  'I0506 08:00:40.247896    3055 kubelet_node_status.go:687] "Recording event message for node" node="ip-10-0-1-17" event="NodeReady"';
const FAST = 100;
const IDENTITY_ITEMS = {
  'dynamic/instance-identity/document': JSON.stringify({
    instanceId: 'i-0a1b2c3d4e5f60718',
    region: 'eu-central-1',
    accountId: '111122223333',
  }),
};

function begin(
  t: TestContext,
  script: NodeScript = {},
  ...args: string[]
): { readonly node: ScriptedNode; readonly run: Running } {
  const node = scriptedNode(t, script);
  return { node, run: node.start(...(args.length === 0 ? WATCH : args)) };
}

function essence(node: ScriptedNode, run: Running): [number, string, string | null, boolean][] {
  return node.verdicts(run).map(({ sequence, status, cause, final }) => [sequence, status, cause?.id ?? null, final]);
}

function linesOf(node: ScriptedNode): { readonly sequence: number; readonly id: string }[] {
  return readFileSync(join(node.places.log, 'verdicts.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { sequence: number; id: string });
}

/** How often each thing was counted by what the log service took. */
function countsOf({ events }: FakeShipper): Record<string, number> {
  const names = events.flatMap(({ text }) => {
    const record = JSON.parse(text) as Record<string, unknown>;
    const [byPlace] = directivesOf(record);
    return byPlace?.Metrics.flatMap(({ Name, Unit }) => (Unit === 'Count' ? [Name] : [])) ?? [];
  });
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
}

test('boot to Ready: one final verdict, kept and delivered, exit code 0', async (t) => {
  const shipper = fakeShipper();
  const { node, run } = begin(t, { shipper });
  node.kubelet(REGISTERED, READY);
  assert.equal(await run.ended, 0, run.process.err());
  assert.deepEqual(essence(node, run), [[0, 'ready', null, true]]);
  const [verdict] = node.verdicts(run);
  assert.equal(verdict!.bootId, BOOT_ID);
  assert.deepEqual([shipper.accepted, linesOf(node).map(({ id }) => id)], [[verdict!.id], [verdict!.id]]);
  assert.equal(shipper.closed, true);
});

for (const [release, wanted] of [
  ['ID="amzn"\nVERSION_ID="2023"\n', { os: 'al2023', steps: 4 }],
  ['ID=bottlerocket\nVERSION_ID=1.40.0\n', { os: 'bottlerocket', steps: 2 }],
  ['ID=nobody-knows\n', { os: null, steps: 4 }],
  ['', { os: null, steps: 4 }],
] as const)
  test(`what is said at once has the steps for ${JSON.stringify(release)}`, async (t) => {
    const { node, run } = begin(t, { release });
    node.kubelet(SWAP);
    const { cause, node: told } = await node.said(run, 1);
    assert.deepEqual({ os: told.os, steps: cause!.remedy.length }, wanted);
    run.process.send('SIGTERM');
    await run.ended;
  });

test('stuck to the deadline: an interim verdict at three minutes, the final one at the deadline', async (t) => {
  const { node, run } = begin(t, { speed: FAST, startSeconds: 150 }, ...WATCH, '--deadline', '4m');
  assert.equal(await run.ended, 0, run.process.err());
  const said = node.verdicts(run);
  assert.deepEqual(
    said.map(({ sequence, final }) => [sequence, final]),
    [
      [0, false],
      [1, true],
    ],
  );
  assert.ok(said[0]!.uptimeSeconds! >= 180 && said[0]!.uptimeSeconds! < 200, String(said[0]!.uptimeSeconds));
  assert.ok(said[1]!.uptimeSeconds! >= 240 && said[1]!.uptimeSeconds! < 255, String(said[1]!.uptimeSeconds));
});

test('failed, then recovered: the cause is said at once, and Ready ends it', async (t) => {
  const { node, run } = begin(t);
  node.kubelet(SWAP);
  await node.said(run, 1);
  node.kubelet(
    'I0506 08:00:59.100000    3055 server.go:490] "Kubelet version" kubeletVersion="v1.31.2"',
    REGISTERED,
    READY,
  );
  assert.equal(await run.ended, 0, run.process.err());
  assert.deepEqual(essence(node, run), [
    [0, 'failed', 'swap-enabled', false],
    [1, 'ready', null, true],
  ]);
});

test('numbers go on without files too', async (t) => {
  const { node, run } = begin(t, {}, ...WATCH, '--deliver', 'none');
  node.kubelet(SWAP);
  await node.said(run, 1);
  node.kubelet(REGISTERED, READY);
  await run.ended;
  assert.deepEqual(
    node.verdicts(run).map(({ sequence }) => sequence),
    [0, 1],
  );
});

for (const { state, isFinal } of [
  { state: 'running', isFinal: false },
  { state: 'starting', isFinal: false },
  { state: 'stopping', isFinal: true },
  { state: '', isFinal: true },
])
  test(`stopped by SIGTERM while systemd says "${state}": a ${isFinal ? 'final' : 'interim'} word within two seconds, exit code 0`, async (t) => {
    const shipper = fakeShipper(() => null);
    const { node, run } = begin(t, { shipper, state });
    node.kubelet(SWAP);
    await node.said(run, 1);
    const startMs = performance.now();
    run.process.send('SIGTERM');
    assert.equal(await run.ended, 0);
    assert.ok(performance.now() - startMs < 2_000, `${performance.now() - startMs} ms`);
    assert.deepEqual(essence(node, run), [
      [0, 'failed', 'swap-enabled', false],
      [1, 'failed', 'swap-enabled', isFinal],
    ]);
    assert.equal(linesOf(node).length, 2);
  });

test('started again after a stop or a crash it goes on: next number, and what waited is delivered', async (t) => {
  for (const state of ['running', 'stopping']) {
    const shipper = fakeShipper((_events, call) => (call === 1 ? null : { kind: 'accepted' }));
    const { node, run } = begin(t, { shipper, state });
    node.kubelet(SWAP);
    await node.said(run, 1);
    run.process.send('SIGTERM');
    await run.ended;
    node.kubelet(REGISTERED, READY);
    const second = node.start(...WATCH);
    assert.equal(await second.ended, 0);
    assert.deepEqual(new Set(shipper.accepted).size, shipper.accepted.length);
    // The cause was said, whatever the stopped run took for the end of the machine.
    assert.deepEqual(essence(node, second), [[2, 'ready', null, true]]);
    assert.deepEqual(countsOf(shipper), { BootStarted: 1, FailureSeen: 1, BootstrapFailure: 1, FailureRecovered: 1 });
    const third = node.start(...WATCH);
    assert.equal(await third.ended, 0);
    assert.deepEqual(node.verdicts(third), []);
    assert.match(third.process.err(), /was said before/);
  }
});

test('delivery down: the boot is watched to its end, and the verdict waits in the spool', async (t) => {
  const shipper = fakeShipper(() => UNREACHABLE);
  const { node, run } = begin(t, { shipper });
  node.kubelet(SWAP);
  await node.said(run, 1);
  node.kubelet(REGISTERED, READY);
  assert.equal(await run.ended, 0);
  assert.equal(linesOf(node).length, 2);
  assert.match(run.process.err(), /CloudWatch Logs could not be reached/);
  assert.equal(readdirSync(join(node.places.state, 'spool')).length, 2);
});

test('a probe that hangs holds up neither the interim verdict nor the deadline', async (t) => {
  const never = new Promise<never>(() => {});
  const script = {
    speed: FAST,
    startSeconds: 170,
    network: { request: () => never, connect: () => never, resolve: () => never },
  };
  const { node, run } = begin(t, script, 'watch', '--format', 'json', '--deadline', '4m');
  assert.equal(await run.ended, 0, run.process.err());
  const last = node.verdicts(run).at(-1)!;
  assert.deepEqual([last.final, last.uptimeSeconds! < 330], [true, true], String(last.uptimeSeconds));
});

test('who the node is stays known, though its metadata falls silent', async (t) => {
  let isSilent = false;
  const answers = metadataAnswers(IDENTITY_ITEMS);
  const network = fakeNetwork({ request: (asked) => (isSilent ? networkFailure('connect-timeout') : answers(asked)) });
  const { node, run } = begin(t, { network, speed: 1, startSeconds: 60 }, 'watch', '--format', 'json');
  node.kubelet(SWAP);
  const first = await node.said(run, 1);
  assert.equal(first.node.instanceId, 'i-0a1b2c3d4e5f60718');
  isSilent = true;
  node.kubelet(REGISTERED, READY);
  assert.equal(await run.ended, 0, run.process.err());
  const last = node.verdicts(run).at(-1)!;
  assert.deepEqual(
    [last.status, last.node.instanceId, last.node.region],
    ['ready', 'i-0a1b2c3d4e5f60718', 'eu-central-1'],
  );
  assert.ok(node.opened.every(({ instanceId }) => instanceId === 'i-0a1b2c3d4e5f60718'));
});

test('a second run beside the first says so in one sentence and ends with 0', async (t) => {
  const { node, run } = begin(t);
  node.kubelet(SWAP);
  await node.said(run, 1);
  const second = node.start(...WATCH);
  assert.equal(await second.ended, 0);
  assert.deepEqual(
    [node.verdicts(second), second.process.err()],
    [[], 'eks-bootstrap-analyzer: Another run watches this boot; there is nothing left to do.\n'],
  );
  run.process.send('SIGTERM');
  await run.ended;
});

test('diagnose --deliver beside it: every verdict has a number of its own and is taken once', async (t) => {
  const shipper = fakeShipper();
  const { node, run } = begin(t, { shipper });
  node.kubelet(SWAP);
  await node.said(run, 1);
  const beside = node.start('diagnose', '--format', 'json', '--probe', 'none', '--quiet', '--deliver', 'all');
  assert.equal(await beside.ended, 10, beside.process.err());
  node.kubelet(REGISTERED, READY);
  assert.equal(await run.ended, 0);
  assert.deepEqual(
    linesOf(node).map(({ sequence }) => sequence),
    [0, 1, 2],
  );
  assert.deepEqual(
    shipper.accepted.toSorted(),
    linesOf(node)
      .map(({ id }) => id)
      .toSorted(),
  );
});
