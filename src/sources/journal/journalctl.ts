// Knows how journalctl is asked for a journal in export form, and what its complaints mean.
import type { Child, ChildEnd, Host } from '../../host/host.ts';
import { readUpTo } from '../capture/peek.ts';

const VERSION_TIME_LIMIT_MS = 3_000;
/**
 * journald tells of new entries up to 0.5 s late (a timer of 0.25 s, as exact as that). journalctl 252 (AL2023) looks for them
 * itself when its wait is interrupted. Around 240 an interrupted wait ended it; from 257 on it takes no notice.
 */
const NUDGED_VERSIONS: readonly (number | null)[] = [252];
/** `--output-fields` came with systemd 236. */
const OUTPUT_FIELDS_SINCE = 236;
/**
 * Those that a record is made of. Eleven: with a twelfth journalctl 252 takes 1.9 s where it took 1.5 s for 150,000 entries. `_COMM` is
 * left out: a name for writers that journald knows nothing else of, and they chose it themselves.
 */
const FIELDS = [
  'MESSAGE',
  'PRIORITY',
  'SYSLOG_IDENTIFIER',
  '_PID',
  '_SYSTEMD_UNIT',
  '_UID',
  '_EXE',
  '_TRANSPORT',
  'UNIT',
  '_SOURCE_REALTIME_TIMESTAMP',
  '_SOURCE_MONOTONIC_TIMESTAMP',
];

export interface Journalctl {
  /** Null if its first line was none that is known. */
  readonly version: number | null;
  /** True if a nudge makes it look for new entries. */
  readonly takesNudges: boolean;
  /** @throws HostError `command-missing` */
  read(args: readonly string[], timeLimitMs: number): Child;
  /** Until it ends or is closed. @throws HostError `command-missing` */
  follow(args: readonly string[]): Child;
}

/** @throws HostError `command-missing` where there is none, e.g. on macOS. */
export async function findJournalctl(host: Host, signal?: AbortSignal): Promise<Journalctl> {
  const request = { command: 'journalctl', signal };
  const version = await versionOf(host, () =>
    host.run({ ...request, args: ['--version'], timeLimitMs: VERSION_TIME_LIMIT_MS }),
  );
  const fields = version !== null && version >= OUTPUT_FIELDS_SINCE ? [`--output-fields=${FIELDS.join(',')}`] : [];
  const common = ['--output=export', '--all', '--no-pager', ...fields];
  return {
    version,
    takesNudges: NUDGED_VERSIONS.includes(version),
    read: (args, timeLimitMs) => host.run({ ...request, args: [...common, ...args], timeLimitMs }),
    follow: (args) => host.run({ ...request, args: [...common, '--follow', '--no-tail', ...args], timeLimitMs: null }),
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

export interface LastEntry {
  /** Empty if there is none. */
  readonly entry: Buffer;
  readonly end: ChildEnd;
}

/** The child is gone afterwards. */
export async function lastEntry(
  journalctl: Journalctl,
  args: readonly string[],
  timeLimitMs: number,
): Promise<LastEntry> {
  const child = journalctl.read([...args, '-n', '1'], timeLimitMs);
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
