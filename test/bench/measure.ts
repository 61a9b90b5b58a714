// Runs a command and measures it: wall time by the clock, peak memory from the kernel's own high-water mark.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that mean success; default 0 alone. */
  readonly codes?: readonly number[];
}

const LIMIT_MS = 120_000;
const POLL_MS = 2;

/** Wall time in ms. Output goes to a pipe: grep stops at its first hit where it sees /dev/null. @throws if the command fails. */
export function timeOf({ file, args, env, codes = [0] }: Command): number {
  const start = performance.now();
  const { status, error, stderr } = spawnSync(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: LIMIT_MS,
  });
  const ms = performance.now() - start;
  if (error !== undefined || status === null || !codes.includes(status)) {
    throw new Error(
      `${file} ${args.join(' ')} ended with ${String(status)}: ${error?.message ?? stderr.toString().slice(0, 300)}`,
    );
  }
  return ms;
}

/** User and system time in ms, of its children too. It says less of the machine's mood than a clock does. */
export function cpuTimeOf({ file, args, env, codes = [0] }: Command): number {
  const script = '"$@" >&2; code=$?; times; exit $code';
  const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', file, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    timeout: LIMIT_MS,
    encoding: 'utf8',
  });
  if (status === null || !codes.includes(status)) throw new Error(`${file} ${args.join(' ')} ended with ${status}`);
  // The second line is the children's.
  const used = stdout.split('\n')[1]!.matchAll(/(?<minutes>\d+)m(?<seconds>[\d.]+)s/g);
  return [...used].reduce(
    (sum, { groups }) => sum + (Number(groups!['minutes']) * 60 + Number(groups!['seconds'])) * 1_000,
    0,
  );
}

/** Times of several commands, run in turns so that a change of the machine's mood meets all of them. */
export function timesInTurns<K extends string>(
  commands: Readonly<Record<K, Command>>,
  runs: number,
): Record<K, number[]> {
  const names = Object.keys(commands) as K[];
  for (const name of names) timeOf(commands[name]); // warms the page cache
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, number[]>;
  for (let run = 0; run < runs; run++) for (const name of names) times[name].push(timeOf(commands[name]));
  return times;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Peak resident memory in MB (10^6 bytes). */
export async function peakMemoryOf({ file, args, env }: Command): Promise<number> {
  const child = spawn(file, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  let kilobytes = 0;
  const poll = setInterval(() => {
    kilobytes = Math.max(kilobytes, highWaterKilobytes(`/proc/${child.pid!}/status`));
  }, POLL_MS);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  clearInterval(poll);
  return (kilobytes * 1024) / 1_000_000;
}

/** Peak resident memory in units of 1024 bytes; 0 once the process is gone. */
export function highWaterKilobytes(statusFile: string): number {
  try {
    return Number(
      /^VmHWM:\s+(?<kilobytes>\d+) kB$/m.exec(readFileSync(statusFile, 'utf8'))?.groups?.['kilobytes'] ?? 0,
    );
  } catch {
    return 0;
  }
}
