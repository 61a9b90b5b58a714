// Makes real journal files of any size: streams entries as a node's journald would hold them to systemd-journal-remote. For
// tests and for measuring; holds nothing in memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { findCommand } from '../../src/host/processes/run-child.ts';

const JOURNAL_REMOTE = '/lib/systemd/systemd-journal-remote';
const CHUNK_CHARS = 256 * 1024;
const MACHINE_ID = 'a'.repeat(32);

/** For node:test's `skip`: why no journal can be made here, or false. */
export const NO_JOURNAL_MAKER =
  findCommand(JOURNAL_REMOTE) === null || findCommand('journalctl') === null
    ? 'systemd-journal-remote or journalctl is not installed'
    : false;

export interface MadeBoot {
  /** 32 hex digits. */
  readonly bootId: string;
  /** Unix time of its first entry. */
  readonly startMs: number;
  readonly entries: number;
  /** From one entry to the next. */
  readonly everyUs: number;
  /** What entry `n` says, one line; the kubelet's line of a crash loop where it is left out. */
  readonly line?: ((n: number) => MadeLine | null) | undefined;
}

export interface MadeLine {
  readonly unit: string;
  readonly identifier: string;
  readonly message: string;
}

/** Writes the boots, oldest first, to `file` (absolute, `*.journal`); archives of 128 MB and more appear beside it, as journald's do. */
export async function makeJournal(file: string, boots: readonly MadeBoot[]): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const child = spawn(JOURNAL_REMOTE, ['-o', file, '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  const ended = once(child, 'close');
  for (const boot of boots)
    for (const chunk of exportOf(boot)) if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
  child.stdin.end();
  await finished(child.stdin);
  const [exitCode] = (await ended) as [number | null];
  if (exitCode !== 0) throw new Error(`${JOURNAL_REMOTE} ended with ${exitCode}: ${complaints}`);
}

/** The boot in export form, in pieces. */
export function* exportOf(boot: MadeBoot): Generator<string> {
  const { entries, startMs, everyUs, bootId, line = crashLoopLine } = boot;
  let text = '';
  for (let n = 0; n < entries; n++) {
    const atUs = n * everyUs;
    text += entryText(bootId, startMs * 1000 + atUs, 3_000_000 + atUs, line(n) ?? crashLoopLine(n), n);
    if (text.length < CHUNK_CHARS) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** The fields that journald 252 stores for a line of a service's standard output. */
function entryText(
  bootId: string,
  realtimeUs: number,
  monotonicUs: number,
  { unit, identifier, message }: MadeLine,
  n: number,
): string {
  const pid = 1000 + Math.floor(n / 40);
  return `__REALTIME_TIMESTAMP=${realtimeUs}
__MONOTONIC_TIMESTAMP=${monotonicUs}
_BOOT_ID=${bootId}
PRIORITY=6
SYSLOG_FACILITY=3
_UID=0
_GID=0
_CAP_EFFECTIVE=1ffffffffff
_SELINUX_CONTEXT=unconfined
_SYSTEMD_SLICE=system.slice
_MACHINE_ID=${MACHINE_ID}
_HOSTNAME=ip-10-0-1-23.us-west-2.compute.internal
_TRANSPORT=stdout
SYSLOG_IDENTIFIER=${identifier}
_PID=${pid}
_COMM=${identifier}
_EXE=/usr/bin/${identifier}
_CMDLINE=/usr/bin/${identifier} --config /etc/kubernetes/kubelet/config.json --node-labels a=b
_SYSTEMD_CGROUP=/system.slice/${unit}
_SYSTEMD_UNIT=${unit}
_SYSTEMD_INVOCATION_ID=${(pid + 0x1000).toString(16).padStart(32, '0')}
_STREAM_ID=${(pid + 0x2000).toString(16).padStart(32, '0')}
MESSAGE=${message}

`;
}

/** Every 40 lines another run of a kubelet that does not stay up. */
function crashLoopLine(n: number): MadeLine {
  const run = Math.floor(n / 40);
  const message = `I1120 13:${String(Math.floor(n / 60) % 60).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}.${String(n % 1_000_000).padStart(6, '0')}    ${1000 + run} server.go:${n % 40}] "Step of the start" step=${n % 40} run=${run} took="${(n * 7919) % 1000}ms"`;
  return { unit: 'kubelet.service', identifier: 'kubelet', message };
}
