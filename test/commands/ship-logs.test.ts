// `--ship-logs`: which lines of a failed boot go to the log service and to a file, that nothing secret is among them, and that `analyze`
// finds the same cause in both.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { run as runTool } from '../../src/run.ts';
import type { ShippedEvent } from '../../src/sinks/shipper.ts';
import type { Verdict } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { fakeProcess } from '../cli/fake-process.ts';
import { type FakeShipper, fakeShipper, REFUSED } from '../sinks/fakes.ts';
import { machineDoors } from '../../src/commands/machine-doors.ts';
import { type NodeScript, type ScriptedNode, scriptedNode } from './scripted-node.ts';

const WATCH = ['watch', '--format', 'json', '--probe', 'none', '--deadline', '60s'];
const SHIP = [...WATCH, '--ship-logs', 'on-failure'];
const SWAP =
  'E0506 08:00:20.123456    2711 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"';
const SECRET = 'hunter2hunter2Xq';
const KEY = [
  '-----BEGIN RSA PRIVATE KEY-----',
  'MIIEowIBAAKCAQEAxinventedlineone',
  'aW52ZW50ZWRsaW5ldHdv',
  '-----END RSA PRIVATE KEY-----',
];
const FILES = {
  'var/log/cloud-init-output.log': `Cloud-init v. 22.2.2 running 'modules:final' at Tue, 06 May 2025 08:00:10 +0000. Up 10.00 seconds.\nexport DB_PASSWORD=${SECRET}\n${KEY.join('\n')}\nafter the key\n`,
};
const MIB = 1024 * 1024;

async function failed(
  t: TestContext,
  script: NodeScript = {},
  lines: readonly string[] = [SWAP],
  args: readonly string[] = SHIP,
): Promise<{ node: ScriptedNode; shipper: FakeShipper; last: Verdict; logs: ShippedEvent[] }> {
  const shipper = (script.shipper as FakeShipper | undefined) ?? fakeShipper();
  const node = scriptedNode(t, { files: FILES, speed: 100, ...script, shipper });
  node.kubelet(...lines);
  const run = node.start(...args);
  assert.equal(await run.ended, 0, run.process.err());
  return { node, shipper, last: node.verdicts(run).at(-1)!, logs: logsOf(shipper) };
}

function logsOf({ events }: FakeShipper): ShippedEvent[] {
  return events.filter(({ text }) => text.startsWith('eks-bootstrap-analyzer: Logs') || text.includes('"_BOOT_ID"'));
}

function archiveOf({ places }: ScriptedNode): string {
  return join(places.state, 'logs.tar.gz');
}

async function analyzed(...paths: readonly string[]): Promise<Verdict> {
  const process = fakeProcess(['analyze', '--format', 'json', ...paths]);
  await runTool(process, async () => machineDoors({}));
  return JSON.parse(process.out()) as Verdict;
}

/** As `aws logs get-log-events --output json` prints them. */
function exported(t: TestContext, logs: readonly ShippedEvent[], indent = 4): string {
  const path = join(tempFolder(t, {}), 'logs.json');
  const events = logs.map(({ atMs, text }) => ({ timestamp: atMs, message: text, ingestionTime: atMs + 900 }));
  writeFileSync(path, JSON.stringify({ events, nextForwardToken: 'f/1', nextBackwardToken: 'b/1' }, null, indent));
  return path;
}

test('after the last word of a failure its logs are shipped, and analyze reads the same cause back from stream and archive', async (t) => {
  const { node, shipper, last, logs } = await failed(t);
  assert.deepEqual([last.status, last.cause?.id, last.final], ['failed', 'swap-enabled', true]);
  assert.deepEqual(shipper.events.slice(-logs.length), logs, 'after every verdict');
  assert.match(
    logs[0]!.text,
    /^eks-bootstrap-analyzer: Logs of this node for verdict [0-9a-f-]+ \(failed, swap-enabled\): 8 of 8 lines from 2 logs\.$/,
  );
  assert.ok(
    logs.every(({ atMs }, i) => i === 0 || atMs > logs[i - 1]!.atMs),
    'in the order of their times',
  );
  const ofFile = logs.find(({ text }) => text.includes('after the key'))!;
  assert.equal((JSON.parse(ofFile.text) as { LOG: string }).LOG, 'cloud-init-output', 'a file keeps its stream');
  for (const path of [exported(t, logs), archiveOf(node)]) {
    const again = await analyzed(path);
    assert.deepEqual(
      [again.status, again.cause?.id, again.cause?.confidence],
      ['failed', 'swap-enabled', last.cause!.confidence],
      path,
    );
  }
  assert.equal(statSync(archiveOf(node)).mode & 0o777, 0o600);
});

test('nothing leaves that redaction has not seen, nor a key over several lines', async (t) => {
  const token = `k8s-aws-v1.${'aHR0cHM6Ly9zdHM'.repeat(4)}`;
  const { node, logs } = await failed(t, {}, [`token: ${token}`, SWAP, ...KEY, 'after the key']);
  const archive = gunzipSync(readFileSync(archiveOf(node))).toString('utf8');
  for (const text of [logs.map((event) => event.text).join('\n'), archive]) {
    for (const secret of [SECRET, token, KEY[1]!, KEY[2]!]) assert.ok(!text.includes(secret), secret);
    assert.equal(text.split('after the key').length, 3, 'what follows is there');
    assert.ok(text.includes('DB_PASSWORD=[redacted:'));
  }
});

test('of too much the lines next to the evidence are taken, then the end of each log, and what was cut is said', async (t) => {
  const noise = (from: number): string[] =>
    Array.from(
      { length: 12_000 },
      (_, i) => `I0506 08:00:21.000000    2711 noise.go:1] "line ${from + i}" filler="${'x'.repeat(200)}"`,
    );
  const { node, logs } = await failed(t, { speed: 20 }, [...noise(0), SWAP, ...noise(20_000)]);
  const bytes = logs.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 26, 0);
  assert.ok(bytes > MIB / 2 && bytes <= MIB, `${bytes} bytes`);
  assert.match(
    logs[0]!.text,
    /: \d+ of 24008 lines \(those nearest to the evidence, then the end of each log\) from 2 logs/,
  );
  const all = logs.map(({ text }) => text).join('\n');
  for (const wanted of [
    'running with swap on',
    'line 11999\\',
    'line 11900\\',
    'line 20000\\',
    'line 31999\\',
    'after the key',
  ])
    assert.ok(all.includes(wanted), wanted);
  assert.ok(!all.includes('line 5000\\'));
  assert.ok(statSync(archiveOf(node)).size < 4 * MIB);
  for (const indent of [4, 0])
    assert.equal((await analyzed(exported(t, logs, indent))).cause?.id, 'swap-enabled', `indent ${indent}`);
});

test('once a boot: a run that is started again ships nothing more', async (t) => {
  const { node, shipper, logs } = await failed(t);
  assert.ok(logs.length > 0);
  assert.equal(await node.start(...SHIP).ended, 0);
  const process = node.start(
    'diagnose',
    '--format',
    'json',
    '--probe',
    'none',
    '--deliver',
    'all',
    '--ship-logs',
    'on-failure',
  );
  assert.equal(await process.ended, 10, process.process.err());
  assert.equal(logsOf(shipper).length, logs.length);
});

test('by default, and of a Ready node, nothing is shipped', async (t) => {
  const ready =
    'I0506 08:00:40.247896    3055 kubelet_node_status.go:687] "Recording event message for node" node="ip-10-0-1-17" event="NodeReady"';
  const registered =
    'I0506 08:00:30.679431    3055 kubelet_node_status.go:76] "Successfully registered node" node="ip-10-0-1-17"';
  for (const { node, logs } of [await failed(t, {}, [SWAP], WATCH), await failed(t, {}, [registered, ready])]) {
    assert.deepEqual(logs, []);
    assert.ok(!readdirSync(node.places.state).includes('logs.tar.gz'));
  }
});

test('where the verdict is refused, the logs stay on the node', async (t) => {
  const { node, shipper } = await failed(t, { shipper: fakeShipper(() => REFUSED) });
  assert.deepEqual(shipper.events, []);
  assert.equal((await analyzed(archiveOf(node))).cause?.id, 'swap-enabled');
});

test('a stop is not held up: what does not fit into its time stays out, the file is written all the same', async (t) => {
  const shipper = fakeShipper(() => null);
  const node = scriptedNode(t, { files: FILES, shipper, state: 'stopping' });
  const run = node.start(...SHIP);
  node.kubelet(SWAP);
  await node.said(run, 1);
  const startMs = performance.now();
  run.process.send('SIGTERM');
  assert.equal(await run.ended, 0);
  assert.ok(performance.now() - startMs < 2_000, `${performance.now() - startMs} ms`);
  assert.deepEqual(logsOf(shipper), []);
  assert.equal((await analyzed(archiveOf(node))).cause?.id, 'swap-enabled');
});
