// One boot of a node: starts its keeper (keep-node.sh), finds its pid 1 among the host's processes, waits until it answers, ends it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { childrenOf, joined, startProcess } from './node-process.ts';
import { until } from './until.ts';

const KEEPER = join(import.meta.dirname, 'keep-node.sh');
const CONSOLE_LINES = 30;
/** What `systemctl poweroff` sends to pid 1: SIGRTMIN+4. */
const POWER_OFF_SIGNAL = 38;
const START_LIMIT_MS = 20_000;
const BOOT_LIMIT_MS = 120_000;
const POWER_OFF_LIMIT_MS = 100_000;

export type Wait = 'booted' | 'manager';

export interface Boot {
  /** Process id on the host. */
  readonly pid1: number;
  powerOff(): Promise<void>;
  /** Kills all that is left of it. The node's folder stays until `remove`, or for the next boot after `leave`. */
  down(): Promise<void>;
  leave(): Promise<void>;
  remove(): Promise<void>;
}

/** @throws Error with the console's last lines if it does not come up. */
export async function startBoot(folder: string, uptimeSeconds: number, wait: Wait): Promise<Boot> {
  const group = `eks-e2e-${randomBytes(6).toString('hex')}`;
  const keeper = spawn(KEEPER, [folder, group, String(uptimeSeconds)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [input, output, , leash] = keeper.stdio as unknown as [Writable, Readable, null, Readable];
  input.on('error', () => {});
  let isGone = false;
  leash.on('close', () => (isGone = true)).resume();
  const isClean = once(output.resume(), 'close');
  const hasExited = once(keeper, 'exit');
  // A test that forgot the node ends all the same, and then the node does.
  const handles = [keeper, input, output, leash] as unknown as { ref(): void; unref(): void }[];
  handles.forEach((handle) => handle.unref());
  const end = async (word: string): Promise<void> => {
    handles.forEach((handle) => handle.ref());
    input.end(word);
    await hasExited;
  };
  try {
    const pid1 = await until('pid 1 of the node', START_LIMIT_MS, () => {
      if (isGone) throw new Error('the node did not start');
      return findPid1(keeper.pid!);
    });
    await waitForManager(pid1, wait);
    return {
      pid1,
      powerOff: async () => {
        process.kill(pid1, POWER_OFF_SIGNAL);
        await until('the end of the power-off', POWER_OFF_LIMIT_MS, () => isGone);
      },
      down: async () => {
        handles.forEach((handle) => handle.ref());
        input.write('down\n');
        await isClean;
      },
      leave: () => end('leave\n'),
      remove: () => end(''),
    };
  } catch (error) {
    const file = join(folder, 'console.log');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-CONSOLE_LINES) : [];
    await end('');
    throw new Error(`${(error as Error).message}\n${lines.join('\n')}`, { cause: error });
  }
}

/** The child of systemd-nspawn that has become systemd. */
function findPid1(pid: number): number | null {
  const isNspawn = comm(pid) === 'systemd-nspawn';
  for (const child of childrenOf(pid)) {
    if (isNspawn && comm(child) === 'systemd') return child;
    const below = findPid1(child);
    if (below !== null) return below;
  }
  return null;
}

function comm(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

async function waitForManager(pid1: number, wait: Wait): Promise<void> {
  const state = async (...args: string[]): Promise<string> => {
    const child = startProcess(
      [
        'nsenter',
        `--target=${pid1}`,
        '--all',
        'timeout',
        String(BOOT_LIMIT_MS / 1000),
        'systemctl',
        'is-system-running',
        ...args,
      ],
      0,
    );
    await child.ended;
    return joined(child.stdout).trim();
  };
  await until('the answer of pid 1', START_LIMIT_MS, async () =>
    /^(?:initializing|starting|running|degraded|maintenance)$/.test(await state()),
  );
  if (wait === 'manager') return;
  const last = await state('--wait');
  if (last !== 'running' && last !== 'degraded')
    throw new Error(`the node's boot did not end, it is ${last === '' ? 'still under way' : last}`);
}
