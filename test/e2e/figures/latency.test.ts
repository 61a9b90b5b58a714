// How long after the decisive line was written the verdict stands on standard output; each run is a boot's beginning for the analyzer.
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, recordBar } from '../../../build/bars.ts';
import { bootNode, EXECUTABLE_ON_NODE, type TestNode } from '../node.ts';
import { ANALYZER_BIND } from '../shapes/analyzer.ts';
import { LINES_FILE, program } from '../shapes/program.ts';

const RUNS = 100;
const LATENCY_LIMIT_MS = 500;
/** By then the analyzer has read what there is, and follows. */
const SETTLE_MS = 900;
const VERDICT_LIMIT_MS = 15_000;
const CAUSE = '"id":"swap-enabled"';
const PIPE = '/run/kubelet-says';
const LINE = `klog E 'run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"'`;
const LOG = '/var/log/cloud-init-output.log';
const FILE_LINE = "sed: can't read /etc/eks/containerd/containerd-config.toml: No such file or directory\n";
const FILE_CAUSE = '"id":"containerd-config-missing"';

test('from the decisive line in the journal to the verdict', async () => {
  await using node = await bootNode({
    units: { 'kubelet.service': '[Service]\nExecStart=/usr/bin/kubelet\n[Install]\nWantedBy=multi-user.target\n' },
    files: {
      ...LINES_FILE,
      '/usr/bin/kubelet': program(`mkfifo ${PIPE}\nwhile read -r _; do ${LINE}; done <>${PIPE}`),
    },
    binds: ANALYZER_BIND,
  });
  const times = await measure(node, {
    cause: CAUSE,
    write: () => writeFileSync(node.path(PIPE), '\n'),
    forget: async () => void (await node.shell('journalctl --quiet --rotate; journalctl --quiet --vacuum-files=1')),
  });
  record('journal', times);
});

test('from the decisive line in a log file to the verdict', async () => {
  await using node = await bootNode({ binds: ANALYZER_BIND });
  writeFileSync(node.path(LOG), '');
  const times = await measure(node, {
    cause: FILE_CAUSE,
    write: () => appendFileSync(node.path(LOG), FILE_LINE),
    forget: async () => writeFileSync(node.path(LOG), ''),
  });
  record('log file', times);
});

interface Measured {
  readonly cause: string;
  readonly write: () => void;
  /** Takes the line away, so that the next run does not find it. */
  readonly forget: () => Promise<void>;
}

async function measure(node: TestNode, { cause, write, forget }: Measured): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const watch = node.start(EXECUTABLE_ON_NODE, ['watch', '--format', 'json', '--deliver', 'none', '--probe', 'none']);
    await sleep(SETTLE_MS);
    const writtenMs = performance.timeOrigin + performance.now();
    write();
    const { atMs } = await watch.line((text) => text.includes(cause), VERDICT_LIMIT_MS);
    times.push(atMs - writtenMs);
    await watch.stop('SIGKILL');
    await forget();
  }
  return times;
}

function record(place: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!;
  console.log(
    `${place}: median ${at(0.5).toFixed(0)} ms, p90 ${at(0.9).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, max ${at(1).toFixed(0)} ms`,
  );
  const bar = atMost({
    bar: `decisive line in the ${place} to the verdict, p99 of ${RUNS}`,
    unit: 'ms',
    wanted: LATENCY_LIMIT_MS,
    seen: at(0.99),
  });
  recordBar(bar);
  assert.equal(bar.failed, false);
}
