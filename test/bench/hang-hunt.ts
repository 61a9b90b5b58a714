// Hunts for a `diagnose` that says its verdict and does not leave: hundreds of runs on a healthy node, every second one with a
// name server that is silent. A run that is late is looked at where it stands before it is killed.
import { readdirSync, readFileSync } from 'node:fs';
import { bootNode, EXECUTABLE, EXECUTABLE_ON_NODE, type TestNode } from '../e2e/node.ts';
import { childrenOf } from '../e2e/node-process.ts';
import { healthy } from '../e2e/scenarios/healthy.ts';
import { until } from '../e2e/until.ts';

export interface HangHunt {
  /** Of each run, from its start until it was gone. */
  readonly times: readonly number[];
  /** The same, from its last word: what it needs to leave. */
  readonly leaving: readonly number[];
  /** Of each run that was late: what it had said, and what each of its threads waited for. */
  readonly late: readonly string[];
}

/** The time in which a node must be answered. */
const LATE_MS = 12_000;
const HANGING_MS = 60_000;
const AT_ONCE = 2;
const BOOT_LIMIT_MS = 60_000;
const HOSTS = '/etc/hosts';

export async function hangHunt(runs: number, executable = EXECUTABLE): Promise<HangHunt> {
  await using answered = await readyNode(executable);
  await using nameless = await readyNode(executable);
  await nameless.shell(`sed -i '/eks.amazonaws.com/d' ${HOSTS}`);
  const hunt: Hunt = { times: [], leaving: [], late: [] };
  let begun = 0;
  const hunter = async (): Promise<void> => {
    while (begun < runs) await runOnce(begun++ % 2 === 0 ? answered : nameless, hunt);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, hunter));
  return hunt;
}

type Hunt = { readonly [Kind in keyof HangHunt]: HangHunt[Kind][number][] };

async function readyNode(executable: string): Promise<TestNode> {
  const node = await bootNode({ ...healthy.node, binds: { [EXECUTABLE_ON_NODE]: executable } });
  await until('a node that is Ready', BOOT_LIMIT_MS, async () =>
    (await node.shell('journalctl -b -o cat', { codes: null })).includes('NodeReady'),
  );
  return node;
}

async function runOnce(node: TestNode, { times, leaving, late }: Hunt): Promise<void> {
  const startMs = performance.timeOrigin + performance.now();
  const elapsedMs = (): number => performance.timeOrigin + performance.now() - startMs;
  const known = new Set(childrenOf(process.pid));
  const run = node.start(EXECUTABLE_ON_NODE, ['diagnose', '--quiet', '--format=json']);
  const [pid = 0] = childrenOf(process.pid).filter((child) => !known.has(child));
  const look = setTimeout(
    () => late.push(`${run.stdout.length} lines said\n${standOf(childrenOf(pid)[0] ?? pid)}`),
    LATE_MS,
  );
  const limit = setTimeout(() => void run.stop('SIGKILL'), HANGING_MS);
  await run.ended;
  clearTimeout(look);
  clearTimeout(limit);
  times.push(elapsedMs());
  leaving.push(startMs + times.at(-1)! - (run.stdout.at(-1)?.atMs ?? startMs));
}

/** Name, kernel function and system call of each thread. */
function standOf(pid: number): string {
  const tasks = `/proc/${pid}/task`;
  const read = (task: string, name: string): string => {
    try {
      return readFileSync(`${tasks}/${task}/${name}`, 'utf8').trim();
    } catch {
      return '?';
    }
  };
  try {
    return readdirSync(tasks)
      .map((task) => ['comm', 'wchan', 'syscall'].map((name) => read(task, name)).join(' '))
      .join('\n');
  } catch {
    return 'it was gone by then';
  }
}
