// Knows how journalctl is asked for a journal in export form, and what its complaints mean.
import type { Child, ChildEnd, Host } from '../host/host.ts';
import { readUpTo } from './peek.ts';

const SHORT_TIME_LIMIT_MS = 10_000;
/** `--output-fields` came with systemd 236. */
const OUTPUT_FIELDS_SINCE = 236;
const FIELDS = [
  'MESSAGE',
  'PRIORITY',
  'SYSLOG_IDENTIFIER',
  'SYSLOG_PID',
  '_PID',
  '_SYSTEMD_UNIT',
  '_EXE',
  '_COMM',
  '_TRANSPORT',
  'UNIT',
  'INVOCATION_ID',
  '_SOURCE_REALTIME_TIMESTAMP',
  '_SOURCE_MONOTONIC_TIMESTAMP',
];

export interface Journalctl {
  /** Null if its first line was none that is known. */
  readonly version: number | null;
  /** @throws HostError `command-missing` */
  read(args: readonly string[], timeLimitMs: number): Child;
}

/** @throws HostError `command-missing` where there is none, e.g. on macOS. */
export async function findJournalctl(host: Host, signal?: AbortSignal): Promise<Journalctl> {
  const run = (args: readonly string[], timeLimitMs: number): Child => host.run({ command: 'journalctl', args, timeLimitMs, signal });
  const version = await versionOf(host, () => run(['--version'], SHORT_TIME_LIMIT_MS));
  const fields = version !== null && version >= OUTPUT_FIELDS_SINCE ? [`--output-fields=${FIELDS.join(',')}`] : [];
  return {
    version,
    read: (args, timeLimitMs) => run(['--output=export', '--all', '--no-pager', ...fields, ...args], timeLimitMs),
  };
}

const SHORT_OUTPUT_BYTES = 64 * 1024;
const versions = new WeakMap<Host, number | null>();

/** Asked once a host: it does not change while we run. */
async function versionOf(host: Host, ask: () => Child): Promise<number | null> {
  const known = versions.get(host);
  if (known !== undefined) return known;
  const child = ask();
  const text = (await readUpTo(child, SHORT_OUTPUT_BYTES)).toString('latin1');
  await child.close();
  const found = /^systemd (?<version>\d+)/.exec(text)?.groups?.['version'];
  const version = found === undefined ? null : Number(found);
  versions.set(host, version);
  return version;
}

/** The last entry, which is empty if there is none. The child is gone afterwards. */
export async function lastEntry(journalctl: Journalctl, args: readonly string[]): Promise<{ readonly entry: Buffer; readonly end: ChildEnd }> {
  const child = journalctl.read([...args, '-n', '1'], SHORT_TIME_LIMIT_MS);
  const entry = await readUpTo(child, SHORT_OUTPUT_BYTES);
  // A child that has more to say is not waited for.
  if (entry.length === SHORT_OUTPUT_BYTES) await child.close();
  const end = await child.ended;
  await child.close();
  return { entry, end };
}

export interface Complaints {
  /** Files that it passed over, with its words. */
  readonly ignored: readonly { readonly file: string; readonly why: string }[];
  /** True if this user may not see all of the journal. */
  readonly isForbidden: boolean;
  /** Its other lines, hints left out; empty if it had none. */
  readonly other: string;
}

const IGNORED = /^Journal file (?<file>.+?) (?<why>(?:is|uses|has|corrupted|could)\b.*?),? ignoring file\b/;
const FORBIDDEN = /insufficient permissions|not seeing messages from other users and the system/;
const HINT = /^(?:Hint: |\s|-- |Use SYSTEMD_LOG_LEVEL|Pass -q |$)/;

export function complaintsOf(end: ChildEnd): Complaints {
  const ignored: { file: string; why: string }[] = [];
  const other: string[] = [];
  for (const line of end.stderr.split('\n')) {
    const groups = IGNORED.exec(line)?.groups;
    if (groups !== undefined) ignored.push({ file: groups['file']!, why: groups['why']! });
    else if (!HINT.test(line)) other.push(line);
  }
  return { ignored, isForbidden: FORBIDDEN.test(end.stderr), other: other.join('; ') };
}
