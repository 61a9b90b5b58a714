// From the decisive line that a kubelet prints to the event that others can read in CloudWatch Logs: the built executable on a
// node, by the journal, over TLS, to a service that is not ours.
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, fact, recordBar } from '../../../build/bars.ts';
import { type Moto, prepareMoto, startMoto } from '../moto.ts';
import { NODE_NAME } from '../shapes/al2023.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { until } from '../until.ts';
import { deliveringNode, GROUP, INSTANCE } from './delivering-node.ts';
import { causeOf, lineOf, numberedCauses } from './numbered-causes.ts';

const LINES = 105;
/** `watch` starts anew each time, and as on most nodes its first line finds no client, no credentials and no connection. */
const RUNS = 15;
const READABLE_LIMIT_MS = 20_000;
const PAUSE_MAX_MS = 200;
const CATCH_UP_MS = 1_500;
/** Ends what was before, so that the next run has nothing to say at once. */
const REGISTERED = `I0102 09:00:01.123456    2711 kubelet_node_status.go:78] "Successfully registered node" node="${NODE_NAME}"`;

const missing = await prepareMoto();

test(
  `a decisive line can be read from CloudWatch Logs within a second, ${LINES} times`,
  { skip: missing ?? false },
  async (t) => {
    const moto = await startMoto(t);
    await moto.cli('logs', 'create-log-group', '--log-group-name', GROUP);
    await using delivering = await deliveringNode(
      t,
      { port: Number(new URL(moto.url).port) },
      { node: { files: numberedCauses(LINES) } },
    );
    const { node } = delivering;
    const elapsedMs: number[] = [];
    const firstMs: number[] = [];
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    let costs = '';
    for (let run = 0; run < RUNS; run++) {
      await delivering.startWatch('--deadline=1h');
      await sleep(CATCH_UP_MS);
      for (let at = 0; at < LINES / RUNS; at++) {
        const number = (run * LINES) / RUNS + at + 1;
        const startMs = performance.now();
        delivering.say(lineOf(number));
        await until(`${causeOf(number)} can be read`, READABLE_LIMIT_MS, async () =>
          (await newest(moto, agent)).includes(`"causeId":"${causeOf(number)}"`),
        );
        const tookMs = performance.now() - startMs;
        elapsedMs.push(tookMs);
        if (at === 0) firstMs.push(tookMs);
        // So that the lines come at any moment of its loop.
        await sleep(Math.random() * PAUSE_MAX_MS);
      }
      costs = await node.shell(`
      pid=$(systemctl show --value -p MainPID ${ANALYZER}); grep -h VmHWM /proc/$pid/status; systemctl show -p CPUUsageNSec ${ANALYZER}; cut -d' ' -f14-17 /proc/$pid/stat`);
      await delivering.killWatch();
      delivering.say(REGISTERED);
    }
    const sorted = elapsedMs.toSorted((a, b) => a - b);
    const rank = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!;
    t.diagnostic(
      `p50 ${Math.round(rank(0.5))} ms, p90 ${Math.round(rank(0.9))} ms, longest ${Math.round(rank(1))} ms; the first of each run ${firstMs.map(Math.round).join(', ')} ms`,
    );
    t.diagnostic(`after ${LINES / RUNS} verdicts over TLS: ${costs.replaceAll(/\s+/g, ' ')}`);
    const read = (await moto.readBack(GROUP, INSTANCE)).filter(({ verdict }) => verdict !== undefined);
    const verdicts = await delivering.verdicts();
    const ids = new Set(read.map(({ id }) => id));
    const lost = verdicts.filter(({ id }) => !ids.has(id)).length;
    assert.deepEqual(
      new Set(read.map(({ causeId }) => causeId)),
      new Set(Array.from({ length: LINES }, (_, at) => causeOf(at + 1))),
    );
    recordBar(
      atMost({
        bar: 'decisive line written → event readable from the server, p99',
        unit: 'ms',
        wanted: 1_000,
        seen: rank(0.99),
      }),
    );
    recordBar(
      fact(`verdicts lost of ${verdicts.length} (a kubelet that has a new fault all the time)`, '0', String(lost)),
    );
    assert.equal(lost, 0);
  },
);

/** The text of the last few events of the node's stream. */
function newest({ url }: Moto, agent: Agent): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const authorization =
    'AWS4-HMAC-SHA256 Credential=reader/20250101/us-west-2/logs/aws4_request, SignedHeaders=host, Signature=none';
  const headers = {
    authorization,
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'Logs_20140328.GetLogEvents',
  };
  const asked = request(
    url,
    { method: 'POST', headers, agent },
    (answer) => void text(answer).then((body) => resolve(body.replaceAll('\\"', '"')), reject),
  );
  asked.once('error', reject).end(JSON.stringify({ logGroupName: GROUP, logStreamName: INSTANCE, limit: 3 }));
  return promise;
}
