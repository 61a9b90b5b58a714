// Proves on the built executables what their users rely on: they run on both processors, find the cause of a recorded node, ignore NODE_OPTIONS and start fast.

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { installedBinary } from './base-binary.ts';
import { atMost, fact, recordBar, type Bar } from './bars.ts';
import {
  ARCHES,
  BUNDLE,
  ROOT,
  executablePath,
  hostArch,
  projectVersion,
  type Arch,
  MEGABYTES_ON_DISK_MAX,
} from './project.ts';

const CAPTURE = 'test/scenarios/al2-ecr-login-hang/capture';
const CAUSE = 'ecr-login-hang';
const STALLED_EXIT_CODE = 11;
/** What a debugging session leaves behind in a node's environment. */
const NODE_OPTIONS_LEFT = ['--inspect=0', '--inspect-brk', '--require=/nonexistent', '--no-such-option'];
const STARTS = 20;
const RUNS = 9;
/** 0.65 with the code, 1.0 without. */
const TAKEN_RATIO_MAX = 0.85;
const LIMIT_MS = 120_000;

const EMULATORS: Record<Arch, string[]> = {
  x64: ['qemu-x86_64-static', '-L', '/usr/x86_64-linux-gnu'],
  arm64: ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'],
};

const native = hostArch();
const programs = [
  { name: basename(BUNDLE), command: [installedBinary(), BUNDLE] },
  ...ARCHES.map((arch) => ({
    name: basename(executablePath(arch)),
    command: [...(arch === native ? [] : EMULATORS[arch]), executablePath(arch)],
  })),
];

const bars: Bar[] = [
  ...programs.flatMap(({ name, command }) => [
    fact(`${name} --version`, `${projectVersion()}, nothing on stderr`, version(command)),
    fact(`${name} on a hung ECR login`, `exit ${STALLED_EXIT_CODE}, ${CAUSE}`, analyze(command)),
  ]),
  ...NODE_OPTIONS_LEFT.map((left) =>
    fact(
      `executable with NODE_OPTIONS=${left}`,
      `${projectVersion()}, nothing on stderr`,
      version([executablePath(native)], left),
    ),
  ),
  ...ARCHES.map((arch) =>
    atMost({
      bar: `size of ${basename(executablePath(arch))}`,
      unit: 'MB',
      wanted: MEGABYTES_ON_DISK_MAX,
      seen: statSync(executablePath(arch)).size / 1e6,
    }),
  ),
  atMost({ bar: 'start of --version against bare node', unit: '×', wanted: 2, seen: startRatio() }),
  fact('the compiled code in the executable', 'taken', compiledCode()),
];
bars.forEach(recordBar);
process.exitCode = bars.some(({ failed }) => failed) ? 1 : 0;

function version(command: readonly string[], nodeOptions?: string): string {
  const { stdout, stderr, problem } = start([...command, '--version'], nodeOptions);
  return problem ?? `${stdout.trim()}, ${stderr === '' ? 'nothing on stderr' : stderr.trim()}`;
}

function analyze(command: readonly string[]): string {
  const { status, stdout, stderr, problem } = start([...command, 'analyze', CAPTURE, '--format', 'json']);
  return problem ?? `exit ${status}, ${causeOf(stdout) ?? stderr.trim()}`;
}

function causeOf(json: string): string | null {
  try {
    const { cause } = JSON.parse(json) as { cause: { id: string } | null };
    return cause?.id ?? 'no cause';
  } catch {
    return null;
  }
}

/** Medians of alternating starts, so that a slow moment of the machine hits both. */
function startRatio(): number {
  const pairs = Array.from(
    { length: STARTS },
    () => [timed([executablePath(native), '--version']), timed([installedBinary(), '-e', '0'])] as const,
  );
  return median(pairs.map(([ours]) => ours)) / median(pairs.map(([, bare]) => bare));
}

/** V8 is silent about code that it does not take; then the executable compiles as much as the bundle does, and is no faster. */
function compiledCode(): string {
  const ratios = Array.from({ length: RUNS }, () => {
    const [own, bundle] = [[executablePath(native)], [installedBinary(), BUNDLE]].map((command) =>
      timed([...command, 'analyze', CAPTURE]),
    );
    return own! / bundle!;
  });
  return median(ratios) < TAKEN_RATIO_MAX
    ? 'taken'
    : `not taken: ${median(ratios).toFixed(2)} × the time of the bundle`;
}

function timed(command: readonly string[]): number {
  const startMs = performance.now();
  start(command);
  return performance.now() - startMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function start([file = '', ...args]: readonly string[], nodeOptions?: string) {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = nodeOptions === undefined ? inherited : { ...inherited, NODE_OPTIONS: nodeOptions };
  const { status, signal, stdout, stderr, error } = spawnSync(file, args, {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  const problem = error?.message ?? (signal === null ? null : `killed by ${signal}`);
  return { status, stdout, stderr, problem };
}
