// Runs the heavy inputs on the built analyzer, one after the other, and records the worst memory and processor time of all.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atMost, fact, recordBar } from '../../build/bars.ts';
import { findAnalyzer } from '../score/analyzer.ts';
import { makeHeavyInputs } from './heavy-inputs.ts';
import { highWaterKilobytes } from './measure.ts';
import { placeOnDisk } from './place-on-disk.ts';

export interface Cost {
  readonly exitCode: number | null;
  readonly memoryMb: number;
  readonly cpuSeconds: number;
}

const POLL_MS = 5;
const TICKS_PER_SECOND = 100;
const LIMIT_MS = 60_000;
const MEMORY_MAX_MB = 160;
const CPU_MAX_SECONDS = 10;
/** Verdicts, bad usage and nothing to read; a bug, a signal or a time limit is none. */
const CODES = [0, 2, 3, 10, 11, 12];

/** Peak resident memory in MiB, and user and system time of the process itself. */
export async function costOf(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Cost> {
  const [file, ...args] = command;
  const child = spawn(file!, args, {
    stdio: 'ignore',
    env: { ...process.env, ...env },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let memoryMb = 0;
  let cpuSeconds = 0;
  const poll = setInterval(() => {
    memoryMb = Math.max(memoryMb, highWaterKilobytes(`/proc/${child.pid!}/status`) / 1024);
    cpuSeconds = Math.max(cpuSeconds, processorSeconds(child.pid!));
  }, POLL_MS);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearInterval(poll);
  return { exitCode, memoryMb, cpuSeconds };
}

function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

export async function heavy(wanted: string | null = null): Promise<void> {
  const [file, ...before] = findAnalyzer().command;
  const folder = mkdtempSync(join(tmpdir(), 'heavy-'));
  try {
    const program = before.length > 0 ? file : await placeOnDisk(file, folder);
    const inputs = await makeHeavyInputs(folder);
    const chosen = inputs.filter(({ title }) => wanted === null || title.includes(wanted));
    let fine = 0;
    let slowest = 0;
    for (const { title, args } of chosen) {
      const { exitCode, memoryMb, cpuSeconds } = await costOf([program, ...before, ...args]);
      const isFine = memoryMb <= MEMORY_MAX_MB && exitCode !== null && CODES.includes(exitCode);
      if (isFine) fine++;
      slowest = Math.max(slowest, cpuSeconds);
      console.log(
        `  ${isFine ? 'ok  ' : 'OVER'} ${title.padEnd(42)} ${memoryMb.toFixed(0).padStart(4)} MB ${cpuSeconds.toFixed(1).padStart(6)} s, exit ${exitCode}`,
      );
    }
    console.log(`heavy inputs: tried ${chosen.length}, fine ${fine}`);
    const all = `${chosen.length} of ${chosen.length}`;
    recordBar(fact(`heavy inputs within ${MEMORY_MAX_MB} MB`, all, `${fine} of ${chosen.length}`));
    const time = atMost({ bar: 'heavy inputs: processor time', unit: 's', wanted: CPU_MAX_SECONDS, seen: slowest });
    recordBar(time);
    if (time.failed) process.exitCode = 1;
    if (fine < chosen.length) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) await heavy(process.argv[2] ?? null);
