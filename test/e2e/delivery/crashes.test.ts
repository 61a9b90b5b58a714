// The built executable on a node, killed at random moments of a delivery, and several of it at once: what was said is delivered, counts
// once, and what is delivered twice carries the same id.
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
/** Rounds with three diagnoses beside, and with two runs at once. */
const DIAGNOSES_EVERY = 10;
const TWO_EVERY = 5;
const WATCH = ['watch', '--format=json', '--deadline=1h', '--prefix=never'];
const IDENTITY = '--probe=instance-metadata-reachable,cluster-configured';

interface Said {
  readonly id: string;
}

test(`killed at ${ROUNDS} random moments of a delivery, two runs at once, three diagnoses beside: nothing is lost, nothing counts twice`, async (t) => {
  const logs = await logsOfCluster(t);
  await using delivering = await deliveringNode(t, logs, { node: { files: numberedCauses(ROUNDS + 2) } });
  const lastingMs = await deliveryMs(delivering, logs);
  const said: string[] = [];
  let number = 2;
  let diagnoses = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const beside = round % DIAGNOSES_EVERY === 0 ? [1, 2, 3].map(() => delivering.diagnose(IDENTITY)) : [];
    const watches = await startSaying(delivering, number, round % TWO_EVERY === 0 ? 2 : 1).catch(
      async (error: unknown) => {
        await Promise.all(beside);
        throw error;
      },
    );
    await sleep(Math.random() * lastingMs);
    await Promise.all(watches.map((watch) => watch.stop('SIGKILL')));
    diagnoses += (await Promise.all(beside)).length;
    said.push(...watches.flatMap(({ stdout }) => stdout.map(({ text }) => (JSON.parse(text) as Said).id)));
    // What was lost before it was written down has to be said again by the next run.
    if (await isKept(delivering, logs, said)) number++;
  }
  const watches = await startSaying(delivering, number, 2);
  await until('the spool is empty', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 0);
  // Its word when it is asked to end might still wait in the spool.
  await Promise.all(watches.map((watch) => watch.stop('SIGKILL')));

  const events = logs.streams.get(STREAM) ?? [];
  const texts = Map.groupBy(events, ({ message }) => (JSON.parse(message) as Said).id);
  for (const [id, copies] of texts) assert.equal(new Set(copies.map(answerOf)).size, 1, `${id} came with two answers`);
  const logged = (await delivering.verdicts()).map(({ id }) => id);
  const lost = logged.filter((id) => !texts.has(id));
  const once = [...texts.values()].map(([copy]) => JSON.parse(copy!.message) as Record<string, unknown>);
  const verdicts = once.filter(({ verdict }) => verdict !== undefined);
  t.diagnostic(
    `a delivery takes ${Math.round(lastingMs)} ms; ${logged.length} verdicts in the log, ${verdicts.length} on the server, ${diagnoses} of them by diagnose; ${events.length - texts.size} came twice under one id`,
  );
  const wanted = Array.from({ length: number }, (_, at) => causeOf(at + 1));
  const seen = once.filter((event) => event['FailureSeen'] === 1).map(({ Cause }) => String(Cause));
  const sequences = verdicts.map(({ verdict }) => (verdict as Verdict).sequence);
  const doubled = [
    ...seen.filter((cause, at) => seen.indexOf(cause) !== at),
    ...sequences.filter((sequence, at) => sequences.indexOf(sequence) !== at).map(String),
  ];
  recordBar(fact(`verdicts lost of ${logged.length} by ${ROUNDS} kills`, '0', String(lost.length)));
  recordBar(fact(`verdicts and causes counted twice by ${ROUNDS} kills`, '0', String(doubled.length)));
  assert.deepEqual([lost, doubled], [[], []]);
  assert.deepEqual(seen.toSorted(), wanted);
  assert.equal(once.filter((event) => event['BootStarted'] === 1).length, 1);
});

/** Was the last that was said written down: in the log, in the spool, or delivered? */
async function isKept(delivering: DeliveringNode, logs: LogsServer, said: readonly string[]): Promise<boolean> {
  const id = said.at(-1)!;
  const places = [(await delivering.verdicts()).map((verdict) => verdict.id), await delivering.spooled()];
  return [...places.flat(), ...logs.messages().map((event) => event['id'])].includes(id);
}

/** The answer without the time at which it was given: a run that was killed early is repeated by the next one under the same id. */
function answerOf({ message }: StoredEvent): string {
  const { status, causeId, verdict } = JSON.parse(message) as { status: string; causeId: string; verdict?: Verdict };
  return JSON.stringify([status, causeId, verdict?.sequence, verdict?.evidence]);
}

/** Of a run that has just begun: from the verdict's line on standard output until nothing waits any more. */
async function deliveryMs(delivering: DeliveringNode, logs: LogsServer): Promise<number> {
  const watches = await startSaying(delivering, 1, 1);
  const startMs = performance.now();
  await until('the first event', SAID_LIMIT_MS, () => (logs.streams.get(STREAM) ?? []).length > 0);
  const tookMs = performance.now() - startMs;
  await until('the spool is empty', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 0);
  await Promise.all(watches.map((watch) => watch.stop('SIGKILL')));
  return tookMs * 1.2;
}

/** So many at once, of which one says it. */
async function startSaying({ node, say }: DeliveringNode, number: number, runs: number): Promise<NodeProcess[]> {
  say(lineOf(number));
  const watches = Array.from({ length: runs }, () => node.start(EXECUTABLE_ON_NODE, WATCH));
  const saying = watches.map((watch) => watch.line((line) => line.includes(causeOf(number)), SAID_LIMIT_MS));
  await Promise.any(saying).catch(async (error: unknown) => {
    await Promise.all(watches.map((watch) => watch.stop()));
    const words = watches.flatMap(({ stdout }) => stdout.map(({ text }) => text)).join('\n');
    throw new Error(`nobody said ${causeOf(number)}; asked to end they said ${words}`, { cause: error });
  });
  return watches;
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
  const ids = logs.messages().flatMap(({ id, verdict }) => (verdict === undefined ? [] : [String(id)]));
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
