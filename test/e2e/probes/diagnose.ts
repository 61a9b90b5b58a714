// Runs `diagnose` on a node under test and tells what it said, when it was gone, what it cost, and what it changed.
import { join } from 'node:path';
import type { Verdict } from '../../../src/types.ts';
import { EXECUTABLE_ON_NODE, EXECUTABLE, type TestNode } from '../node.ts';

const MEASURE_ON_NODE = '/usr/local/lib/measure.py';
const LIMIT_MS = 60_000;

/** What a node needs so that it can be diagnosed here. */
export const DIAGNOSE_BINDS = {
  [EXECUTABLE_ON_NODE]: EXECUTABLE,
  [MEASURE_ON_NODE]: join(import.meta.dirname, 'measure.py'),
};

export interface Diagnosis {
  readonly verdict: Verdict;
  /** Exit code; minus the signal's number if one ended it. */
  readonly code: number;
  /** From its start until it was gone. */
  readonly seconds: number;
  /** Of its memory; its children's is not counted. */
  readonly peakMb: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DiagnoseOptions {
  readonly args?: readonly string[];
  /** It sees the node's clocks since the boot so much later: the boot has got nowhere since. */
  readonly laterSeconds?: number;
  /** Sends SIGTERM then; there is no verdict to be read. */
  readonly stopAfterSeconds?: number;
}

/** @throws SyntaxError if it did not print a verdict as JSON. */
export async function diagnose(node: TestNode, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const run = await runDiagnose(node, { ...options, args: ['--format=json', ...(options.args ?? [])] });
  return { ...run, verdict: JSON.parse(run.stdout) as Verdict };
}

export async function runDiagnose(node: TestNode, options: DiagnoseOptions = {}): Promise<Omit<Diagnosis, 'verdict'>> {
  const { args = [], laterSeconds = 0, stopAfterSeconds = 0 } = options;
  const command = [
    'python3',
    MEASURE_ON_NODE,
    String(stopAfterSeconds),
    EXECUTABLE_ON_NODE,
    'diagnose',
    '--quiet',
    ...args,
  ];
  const [file = '', ...rest] =
    laterSeconds === 0 ? command : ['unshare', ...(await later(node, laterSeconds)), ...command];
  const { stdout, stderr } = await node.exec(file, rest, { limitMs: LIMIT_MS });
  const [measured = '', ...said] = stderr.trimEnd().split('\n').toReversed();
  return {
    ...(JSON.parse(measured) as Pick<Diagnosis, 'code' | 'seconds' | 'peakMb'>),
    stdout,
    stderr: said.toReversed().join('\n'),
  };
}

/** Arguments for unshare: what it runs sees the clocks since the boot so much later. A time namespace counts from the host's clock. */
export async function later(node: TestNode, laterSeconds: number): Promise<string[]> {
  const seconds =
    Number(/^monotonic\s+(?<seconds>-?\d+)/m.exec(await node.shell('cat /proc/1/timens_offsets'))!.groups!['seconds']) +
    laterSeconds;
  return ['--time', '--fork', `--boottime=${seconds}`, `--monotonic=${seconds}`];
}

/** Journald writes all the time; the kernel keeps the rest of these. */
const LIVE = ['/var/log/journal', '/run/log/journal', '/run/systemd/journal'];
const LIST = `
  find /etc /var /run -xdev \\( ${LIVE.map((path) => `-path ${path}`).join(' -o ')} \\) -prune -o -printf '%p %y %m %U:%G %s %T@ %C@ %l\\n'
  sed 's/^/mount /' /proc/1/mounts
  systemctl list-units --all --plain --no-legend --no-pager | awk '{print "unit", $1, $2, $3, $4}'
  systemctl list-unit-files --no-legend --no-pager | sed 's/^/unit file /'
  nft list ruleset
  ip address; ip route`;

/** Everything of the node's configuration, state and units, one thing a line. */
export async function listing(node: TestNode): Promise<readonly string[]> {
  return (await node.shell(LIST)).split('\n').toSorted();
}

/** Lines that stand in one listing only. */
export function changes(before: readonly string[], after: readonly string[]): readonly string[] {
  const [was, is] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !is.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !was.has(line)).map((line) => `+ ${line}`),
  ];
}

/** `high node-unauthorized`, or why there is none. */
export function causeOf({ cause, status }: Verdict): string {
  return cause === null ? `none, ${status}` : `${cause.confidence} ${cause.id}`;
}

/** The codes of one probe. */
export function codesOf({ probes }: Verdict, probe: string): string {
  return probes.flatMap((result) => (result.probe === probe ? [result.code] : [])).join(' ');
}
