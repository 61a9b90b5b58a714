// A node that boots by a script: its journal is written by the test, its time runs many times faster, and what its API server, its
// systemd and the log service answer is said by the test. The run under test is the real one from its arguments on.
import { mkdirSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Doors } from '../../src/commands/command-context.ts';
import { createHost } from '../../src/host/create-host.ts';
import type { Network } from '../../src/host/network/network.ts';
import type { System } from '../../src/host/system.ts';
import { run } from '../../src/run.ts';
import type { Shipper } from '../../src/sinks/shipper.ts';
import type { NodeFacts, Verdict } from '../../src/types.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { type FakeProcess, fakeProcess } from '../cli/fake-process.ts';
import { fakeNetwork } from '../probes/fake-network.ts';
import { fakeSystem } from '../probes/fakes.ts';
import { scriptedJournal } from './scripted-journal.ts';
import { fakeShipper, placesIn } from '../sinks/fakes.ts';

export const BOOT_ID = 'b'.repeat(32);
const BOOT_WALL_MS = Date.UTC(2025, 4, 6, 8, 0);

export interface NodeScript {
  readonly startSeconds?: number;
  /** How much faster than ours its time runs. */
  readonly speed?: number;
  readonly system?: Partial<System>;
  readonly network?: Partial<Network>;
  readonly shipper?: Shipper;
  /** Whatever systemd says of itself: `running`, `stopping`. */
  readonly state?: string;
  /** Options that are kept on the node. */
  readonly environmentFile?: string;
  /** Path below the root → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** What `/etc/os-release` says. */
  readonly release?: string;
}

export interface Running {
  readonly process: FakeProcess;
  readonly ended: Promise<number>;
}

export interface ScriptedNode {
  readonly places: ReturnType<typeof placesIn>;
  /** Where each shipper was to go. */
  readonly opened: NodeFacts[];
  /** What systemd says from now on. */
  state: string;
  /** The kubelet logs a line now. */
  kubelet(...lines: readonly string[]): void;
  seconds(): number;
  jumpTo(seconds: number): void;
  start(...args: readonly string[]): Running;
  verdicts(running: Running): Verdict[];
  /** Resolves once the run has said so many verdicts. */
  said(running: Running, count: number): Promise<Verdict>;
}

export function scriptedNode(t: TestContext, script: NodeScript = {}): ScriptedNode {
  const {
    startSeconds = 20,
    speed = 20,
    system = {},
    network = {},
    shipper = fakeShipper(),
    files = {},
    release = '',
  } = script;
  const root = tempFolder(t, files);
  const places = placesIn(tempFolder(t, {}));
  mkdirSync(places.state, { mode: 0o700 });
  const startMs = performance.now();
  let jumpedMs = startSeconds * 1_000;
  const monotonicMs = (): number => (performance.now() - startMs) * speed + jumpedMs;
  const wallMs = (): number => BOOT_WALL_MS + monotonicMs();
  const real = createHost({ root });
  const journal = scriptedJournal(BOOT_ID, monotonicMs, BOOT_WALL_MS);
  const opened: NodeFacts[] = [];
  const node: ScriptedNode = {
    places,
    opened,
    state: script.state ?? 'running',
    kubelet(...lines) {
      for (const line of lines) journal.write(line);
    },
    seconds: () => monotonicMs() / 1_000,
    jumpTo(seconds) {
      jumpedMs += seconds * 1_000 - monotonicMs();
    },
    start(...args) {
      const process = fakeProcess(args);
      return { process, ended: run(process, async () => doors) };
    },
    verdicts: ({ process }) => verdictsIn(process.out()),
    async said(running, count) {
      while (verdictsIn(running.process.out()).length < count) {
        const ended = await Promise.race([running.ended, new Promise<null>((resolve) => setTimeout(resolve, 5, null))]);
        if (ended !== null) break;
      }
      const verdict = verdictsIn(running.process.out())[count - 1];
      if (verdict === undefined)
        throw new Error(`it ended without saying so much: ${running.process.out()}${running.process.err()}`);
      return verdict;
    },
  };
  const doors: Doors = {
    files: () => real,
    machine: async () => ({
      host: {
        ...real,
        root: null,
        run: (request) => journal.run(request),
        kindOf: async (path) =>
          path.startsWith(root) ? real.kindOf(path) : { path, kind: 'socket', sizeBytes: 0, mtimeMs: 0 },
        clock: { monotonicMs, wallMs },
        bootId: async () => BOOT_ID,
        isRootOfThisBoot: async () => true,
      },
      system: fakeSystem({
        files: { '/run/systemd/system/x': '', '/etc/os-release': release },
        system: {
          runTool: async (_name, args) => ({
            exitCode: 0,
            stdout: args[0] === 'is-system-running' ? `${node.state}\n` : '',
            stderr: '',
          }),
          ...system,
        },
      }),
      network: { ...fakeNetwork({}), ...network },
    }),
    env: {},
    environmentFile: async () => script.environmentFile ?? null,
    userId: () => 0,
    places,
    after(ms, call) {
      const timer = setTimeout(call, ms / speed);
      return () => clearTimeout(timer);
    },
    async openShipper(facts) {
      opened.push(facts);
      return shipper;
    },
  };
  return node;
}

function verdictsIn(out: string): Verdict[] {
  return out
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Verdict);
}
