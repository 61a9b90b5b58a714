// What `watch` costs a node: memory and processor time over a healthy boot, and while nothing happens. Needs root and
// systemd-nspawn, for it runs as the shipped unit on a node of the end-to-end tests.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pack } from '../../src/types.ts';
import { bootNode, EXECUTABLE, type TestNode } from '../e2e/node.ts';
import { ANALYZER } from '../e2e/shapes/analyzer.ts';
import { until } from '../e2e/until.ts';
import { verdictLike } from '../e2e/verdicts.ts';
import { highWaterKilobytes } from './measure.ts';
import { placeOnDisk } from './place-on-disk.ts';
import { BOOT_LOG, goodBoot, standingBoot } from './watch-cost-node.ts';

export interface WatchCost {
  /** Peak resident memory of the process itself, in 10^6 bytes. */
  readonly memoryMb: number;
  /** User and system time of the unit, all children included. */
  readonly cpuSeconds: number;
  /** Share of one core while nothing happens, all children included. */
  readonly idlePercent: number;
  /** Entries of the journal when the node was Ready. */
  readonly entries: number;
}

const BOOT_LIMIT_MS = 120_000;
const START_LIMIT_MS = 20_000;
const END_LIMIT_MS = 30_000;
const POLL_MS = 5;
/** After the last line, until everything that it caused is over. */
const SETTLE_MS = 10_000;
const IDLE_MS = 40_000;

/** Why it cannot be measured here; null if it can. */
export function watchCostObstacle(): string | null {
  if (process.getuid?.() !== 0) return 'a node needs root';
  if (!existsSync('/usr/bin/systemd-nspawn')) return 'systemd-nspawn is not installed (systemd-container)';
  return existsSync(EXECUTABLE) ? null : 'the executable is not built';
}

export async function watchCost(pack: Pack): Promise<WatchCost> {
  const folder = mkdtempSync(join(tmpdir(), 'eks-bench-'));
  try {
    const executable = await placeOnDisk(EXECUTABLE, folder);
    const boot = await costOfGoodBoot(pack, executable);
    return { ...boot, idlePercent: await costOfStanding(pack, executable) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function costOfGoodBoot(pack: Pack, executable: string): Promise<Omit<WatchCost, 'idlePercent'>> {
  await using node = await bootNode(goodBoot(pack, executable));
  const status = node.path(`/proc/${await mainPid(node)}/status`);
  let kilobytes = 0;
  const poll = setInterval(() => (kilobytes = Math.max(kilobytes, highWaterKilobytes(status))), POLL_MS);
  await verdictLike(node, { status: 'ready', cause: null, final: true }, BOOT_LIMIT_MS);
  await until(
    'the end of the analyzer',
    END_LIMIT_MS,
    async () => (await property(node, 'ActiveState')) === 'inactive',
  );
  clearInterval(poll);
  assertDelivered(node);
  const entries = Number(await node.shell('journalctl -b -o cat --no-pager | wc -l'));
  return {
    memoryMb: (kilobytes * 1024) / 1e6,
    cpuSeconds: Number(await property(node, 'CPUUsageNSec')) / 1e9,
    entries,
  };
}

async function costOfStanding(pack: Pack, executable: string): Promise<number> {
  await using node = await bootNode(standingBoot(pack, executable));
  await mainPid(node);
  await until(
    'the end of the log',
    BOOT_LIMIT_MS,
    async () => (await node.shell(`systemctl show --value -p ActiveState ${BOOT_LOG}`)) === 'inactive',
  );
  await sleep(SETTLE_MS);
  const before = { micros: usedMicros(node), ms: performance.now() };
  await sleep(IDLE_MS);
  return (usedMicros(node) - before.micros) / (performance.now() - before.ms) / 10;
}

function property(node: TestNode, name: string): Promise<string> {
  return node.shell(`systemctl show --value -p ${name} ${ANALYZER}`);
}

function mainPid(node: TestNode): Promise<string> {
  return until('the start of the analyzer', START_LIMIT_MS, async () => {
    const pid = await property(node, 'MainPID');
    return pid === '0' ? null : pid;
  });
}

function usedMicros(node: TestNode): number {
  const text = readFileSync(node.path(`/sys/fs/cgroup/system.slice/${ANALYZER}/cpu.stat`), 'utf8');
  return Number(/^usage_usec (?<micros>\d+)$/m.exec(text)!.groups!['micros']);
}

/** The stand-in's log is a line for each request that came over TLS. */
function assertDelivered(node: TestNode): void {
  const requests = readFileSync(join(node.folder, 'vpc.log'), 'utf8').split('\n');
  if (!requests.some((line) => /^POST logs\.\S+ \/ 200\b/.test(line)))
    throw new Error(`no verdict was delivered; the requests were:\n${requests.join('\n')}`);
}
