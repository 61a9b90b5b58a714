// How long `diagnose` takes, and how much memory, with two gigabytes of older boots in the journal: on a healthy node, and on one
// whose kubelet has filled the journal of this boot.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atMost, recordBar } from '../../../build/bars.ts';
import { NO_JOURNAL_MAKER } from '../../sources/make-journal.ts';
import { bootNode, type TestNode } from '../node.ts';
import type { NodeOptions } from '../node-options.ts';
import { al2023, CONFIGURED, RAN } from '../shapes/al2023.ts';
import { CNI_READY, READY, REGISTERED, RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { until } from '../until.ts';
import type { Vpc } from '../vpc.ts';
import { causeOf, diagnose, DIAGNOSE_BINDS, type Diagnosis } from './diagnose.ts';
import { olderJournal } from './older-journal.ts';
import { swapOn } from './troubles.ts';

const PEAK_MB = 130;
const RUNS = 5;
const LOG_LIMIT_MS = 240_000;

const FEW = 5_000;
const HEALTHY_SECONDS = 1;
const HEALTHY = `${STARTED}${REGISTERED}${CNI_READY}${READY}
for ((n = 0; n < ${FEW}; n++)); do klog I "kubelet_pods.go:1007] \\"Unable to retrieve pull secret, the image pull may not succeed.\\" pod=\\"default/web-$n\\""; done${RUNS_ON}`;

const MANY = 1_000_000;
const LOOPING_SECONDS = 12;
/** A run of the kubelet is 40 lines, and the last of them says why it ends. Its first run says what thousands of runs would. */
const LOOPING = `
[ -e /run/looped ] && runs=1 || runs=${MANY / 40}
touch /run/looped
awk -v runs=$runs -v stamp="$(date +%m%d\\ %H:%M:%S)" 'BEGIN {
  for (run = 0; run < runs; run++) {
    for (n = 0; n < 39; n++) printf "I%s.%06d %7d server.go:%d] \\"Step of the start\\" step=%d run=%d\\n", stamp, n, 1000 + run % 30000, 100 + n, n, run
    printf "E%s.999999 %7d run.go:72] \\"command failed\\" err=\\"failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false\\"\\n", stamp, 1000 + run % 30000
  }
}'
exit 1`;

const UNLIMITED = { '/etc/systemd/journald.conf.d/unlimited.conf': '[Journal]\nRateLimitIntervalSec=0\n' };

async function nodeWith(kubelet: string, vpc: Vpc, entries: number): Promise<TestNode> {
  const older = await olderJournal();
  const shape = al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet }, { ...older.files, ...UNLIMITED });
  const options: NodeOptions = { ...shape, vpc, binds: { ...DIAGNOSE_BINDS, ...older.binds } };
  const node = await bootNode(options);
  await until(
    `${entries} entries`,
    LOG_LIMIT_MS,
    async () =>
      Number(await node.shell('journalctl -b -n 1 -o export | sed -n "s/.*;i=\\([0-9a-f]*\\);.*/0x\\1/p"')) >= entries,
  );
  return node;
}

async function measured(node: TestNode, args: readonly string[] = []): Promise<Diagnosis> {
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await diagnose(node, { args }));
  return runs.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(RUNS / 2)]!;
}

describe('with 2 GB of older boots', { skip: NO_JOURNAL_MAKER }, () => {
  test('a healthy node whose boot has 5,000 entries', async () => {
    await using node = await nodeWith(HEALTHY, { node: { status: 200, isReady: true } }, FEW);
    const { verdict, seconds, peakMb, code } = await measured(node);
    recordBar(
      atMost({
        bar: 'diagnose, healthy node, 5,000 entries, 2 GB of older boots',
        unit: 's',
        wanted: HEALTHY_SECONDS,
        seen: seconds,
      }),
    );
    recordBar(atMost({ bar: 'diagnose, healthy node, peak memory', unit: 'MB', wanted: PEAK_MB, seen: peakMb }));
    assert.deepEqual([causeOf(verdict), code], ['none, ready', 0]);
  });

  test('a crash loop with 1,000,000 entries', async () => {
    await using node = await nodeWith(LOOPING, {}, MANY);
    await swapOn(node);
    const { verdict, seconds, peakMb } = await diagnose(node);
    recordBar(
      atMost({
        bar: 'diagnose, crash loop, 1,000,000 entries, 2 GB of older boots',
        unit: 's',
        wanted: LOOPING_SECONDS,
        seen: seconds,
      }),
    );
    recordBar(atMost({ bar: 'diagnose, crash loop, peak memory', unit: 'MB', wanted: PEAK_MB, seen: peakMb }));
    assert.equal(causeOf(verdict), 'high swap-enabled');
    const gap = verdict.notChecked.find(({ code }) => code === 'journal-middle-skipped');
    assert.match(gap?.detail ?? '', /^\d{6} entries, /);
  });
});
