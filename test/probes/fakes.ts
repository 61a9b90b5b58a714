// A running node as a plain object: each test says what differs from one where nothing is there. Also a check that the cases of
// a probe reach every code of its table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Host, HostError, type OpenFile } from '../../src/host/host.ts';
import type { Network } from '../../src/host/network/network.ts';
import type { System } from '../../src/host/system.ts';
import type { Probe, ProbeAnswer, ProbeContext } from '../../src/probes/probe.ts';
import { runProbes } from '../../src/probes/run-probes.ts';
import type { ProbeResult } from '../../src/types.ts';

export interface FakeNode {
  /** Path → text of a file, or null for something that is there and is no file. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly system?: Partial<System>;
  readonly network?: Partial<Network>;
  readonly known?: Readonly<Record<string, string>>;
  readonly monotonicMs?: number;
  readonly wallMs?: number;
}

/** An aborted signal ends a call that would wait for ever. */
export function waiting(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

export function fakeSystem({ files = {}, system = {} }: FakeNode = {}): System {
  const paths = Object.keys(files);
  return {
    kindOf: async (path) => {
      if (Object.hasOwn(files, path)) return files[path] === null ? 'socket' : 'file';
      return paths.some((file) => file.startsWith(`${path}/`)) ? 'directory' : null;
    },
    readSmall: async (path) => files[path] ?? null,
    listFolder: async (path) =>
      [
        ...new Set(
          paths.filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1).split('/')[0]!),
        ),
      ].toSorted(),
    space: async () => ({ kind: 'missing' }),
    memory: async () => ({ totalBytes: 0, availableBytes: 0, swapBytes: 0 }),
    processes: async () => null,
    units: async () => null,
    askSocket: async () => 'missing',
    askLoopback: async () => ({ kind: 'refused' }),
    runTool: async () => null,
    ...system,
  };
}

export function fakeContext(node: FakeNode, signal: AbortSignal = new AbortController().signal): ProbeContext {
  const { network = {}, known = {}, monotonicMs = 100_000, wallMs = Date.UTC(2025, 4, 1) } = node;
  return {
    host: {
      root: null,
      clock: { monotonicMs: () => monotonicMs, wallMs: () => wallMs },
      openBelowRoot: async (path: string) => openFake(path, node.files?.[path]),
    } as unknown as Host,
    system: fakeSystem(node),
    network: network as Network,
    known: new Map(Object.entries(known)),
    signal,
  };
}

function openFake(path: string, text: string | null | undefined): Pick<OpenFile, 'sizeBytes' | 'readAt' | 'close'> {
  if (typeof text !== 'string') throw new HostError('missing', path);
  const bytes = Buffer.from(text);
  return {
    sizeBytes: bytes.length,
    readAt: async (into, position) => bytes.copy(into, 0, position),
    close: async () => {},
  };
}

export async function ask(probe: Probe, node: FakeNode): Promise<readonly ProbeAnswer[]> {
  const answers = await probe.ask(fakeContext(node));
  return Array.isArray(answers) ? (answers as readonly ProbeAnswer[]) : [answers as ProbeAnswer];
}

export interface Case extends FakeNode {
  readonly title: string;
  readonly gives: readonly (ProbeAnswer & { readonly outcome: ProbeResult['outcome'] })[];
}

const LIMIT_MS = 20;

/** One test a case, each through the runner, and one that every code of the table was reached. */
export function testCases(probe: Probe, cases: readonly Case[]): void {
  for (const { title, gives, ...node } of cases)
    test(`${probe.name}: ${title}`, async () => {
      const { signal, ...parts } = fakeContext(node);
      const { results } = await runProbes([probe], parts, { signal, limitMs: LIMIT_MS });
      assert.deepEqual(
        results.map(({ outcome, code, facts }) => ({ outcome, code, facts })),
        gives.map(({ outcome, code, facts }) => ({ outcome, code, facts })),
      );
    });
  test(`${probe.name}: every code of its table is reached`, () => {
    const given = new Set(cases.flatMap(({ gives }) => gives.map(({ code }) => code)));
    assert.deepEqual(
      Object.keys(probe.answers).filter((code) => !given.has(code)),
      [],
    );
  });
}
