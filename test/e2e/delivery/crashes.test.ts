// The built executable on a node, killed at random moments of a delivery, and two of it at once: what was said is delivered, and
// what is delivered twice carries the same id.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fact, recordBar } from '../../../build/bars.ts';
import type { Verdict } from '../../../src/types.ts';
import type { LogsServer, StoredEvent } from '../../sinks/logs-server.ts';
import { EXECUTABLE_ON_NODE } from '../node.ts';
import type { NodeProcess } from '../node-process.ts';
import { until } from '../until.ts';
import { type DeliveringNode, deliveringNode, logsOfCluster, STREAM } from './delivering-node.ts';
import { causeOf, lineOf, numberedCauses } from './numbered-causes.ts';

const ROUNDS = 50;
/** No speed is proved here, and many other nodes may be booting on this machine: a start of 0.4 s of processor time then takes more than 20 s. */
const SAID_LIMIT_MS = 60_000;
const WATCH = ['watch', '--format=json', '--deadline=1h', '--prefix=never'];
const IDENTITY = '--probe=instance-metadata-reachable,cluster-configured';

interface Said {
  readonly id: string;
}

test(`killed at ${ROUNDS} random moments of a delivery, nothing is lost`, async (t) => {
  const logs = await logsOfCluster(t);
  await using delivering = await deliveringNode(t, logs, { node: { files: numberedCauses(ROUNDS + 2) } });
  const lastingMs = await deliveryMs(delivering, logs);
  const said: string[] = [];
  let number = 2;
  for (let round = 0; round < ROUNDS; round++) {
    const watch = await startSaying(delivering, number);
    await sleep(Math.random() * lastingMs);
    await watch.stop('SIGKILL');
    said.push(...watch.stdout.map(({ text }) => (JSON.parse(text) as Said).id));
    // What was lost before it was written down has to be said again by the next run.
    if ((await delivering.verdicts()).some(({ cause }) => cause?.id === causeOf(number))) number++;
  }
  const watch = await startSaying(delivering, number);
  await until('the spool is empty', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 0);
  await watch.stop();

  const events = logs.streams.get(STREAM) ?? [];
  const texts = Map.groupBy(events, ({ message }) => (JSON.parse(message) as Said).id);
  for (const [id, copies] of texts) assert.equal(new Set(copies.map(answerOf)).size, 1, `${id} came with two answers`);
  const logged = (await delivering.verdicts()).map(({ id }) => id);
  const lost = logged.filter((id) => !texts.has(id));
  const unlogged = [...texts.keys()].filter((id) => !logged.includes(id));
  t.diagnostic(
    `a delivery takes ${Math.round(lastingMs)} ms; ${logged.length} verdicts in the log, ${texts.size} on the server, ${events.length - texts.size} of them twice`,
  );
  t.diagnostic(
    `killed before anything was written: ${said.filter((id) => !logged.includes(id) && !texts.has(id)).length} times; between spool and log: ${unlogged.length} times`,
  );
  const causes = new Set(logs.messages().map(({ causeId }) => causeId));
  assert.deepEqual(causes, new Set(Array.from({ length: number }, (_, at) => causeOf(at + 1))));
  recordBar(fact(`verdicts lost of ${logged.length} by ${ROUNDS} kills`, '0', String(lost.length)));
  assert.deepEqual(lost, []);
  // A kill between the spool and the log leaves out the log's line, never the delivery.
  assert.ok(unlogged.every((id) => said.includes(id)));
});

/** The answer without the time at which it was given: a run that was killed early is repeated by the next one under the same id. */
function answerOf({ message }: StoredEvent): string {
  const { status, causeId, verdict } = JSON.parse(message) as { status: string; causeId: string; verdict: Verdict };
  return JSON.stringify([status, causeId, verdict.sequence, verdict.evidence]);
}

/** Of a run that has just begun: from the verdict's line on standard output until nothing waits any more. */
async function deliveryMs(delivering: DeliveringNode, logs: LogsServer): Promise<number> {
  const watch = await startSaying(delivering, 1);
  const startMs = performance.now();
  await until('the first event', SAID_LIMIT_MS, () => (logs.streams.get(STREAM) ?? []).length > 0);
  const tookMs = performance.now() - startMs;
  await until('the spool is empty', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 0);
  await watch.stop('SIGKILL');
  return tookMs * 1.2;
}

async function startSaying({ node, say }: DeliveringNode, number: number): Promise<NodeProcess> {
  say(lineOf(number));
  const watch = node.start(EXECUTABLE_ON_NODE, WATCH);
  await watch.line((line) => line.includes(causeOf(number)), SAID_LIMIT_MS);
  return watch;
}

test(`\`watch\` and \`diagnose\` at once, ${ROUNDS} times: nothing is lost, nothing comes twice`, async (t: TestContext) => {
  const logs = await logsOfCluster(t);
  await using delivering = await deliveringNode(t, logs, { node: { files: numberedCauses(ROUNDS) } });
  const watch = delivering.node.start(EXECUTABLE_ON_NODE, WATCH);
  for (let number = 1; number <= ROUNDS; number++) {
    // What fails stays in the spool, where both find it.
    if (number % 3 === 0) logs.fail([{ status: 503, type: null }], 'PutLogEvents');
    const diagnosed = delivering.diagnose(IDENTITY);
    await sleep(Math.random() * 1_000);
    delivering.say(lineOf(number));
    await Promise.all([
      diagnosed,
      watch.line((line) => line.includes(`"cause":{"id":"${causeOf(number)}"`), SAID_LIMIT_MS),
    ]);
  }
  await until('the spool is empty', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 0);
  await watch.stop();
  const ids = logs.messages().map(({ id }) => String(id));
  const logged = (await delivering.verdicts()).map(({ id }) => id);
  t.diagnostic(
    `${logged.length} verdicts; ${logged.length - new Set(logged).size} times both said the same under the same id`,
  );
  assert.ok(logged.length >= 2 * ROUNDS);
  const wrong = [...new Set([...ids, ...logged])].filter((id) => countOf(id, ids) !== countOf(id, logged));
  recordBar(
    fact(`verdicts lost or taken too often of ${logged.length} by two processes at once`, '0', String(wrong.length)),
  );
  assert.deepEqual(wrong, []);
});

function countOf(id: string, ids: readonly string[]): number {
  return ids.filter((other) => other === id).length;
}
