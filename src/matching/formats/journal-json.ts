// `journalctl -o json`: one object a line, MESSAGE as a string or, where it is not UTF-8, as an array of bytes.
import { levelOfPriority } from '../levels.ts';
import type { LogFormat, LineState } from '../line-state.ts';

const LOG = /^[a-z][a-z-]{1,40}$/;

export const journalJson: LogFormat = {
  name: 'journal-json',
  unwrap(line) {
    if (isSaid(line) || line.text.charCodeAt(0) !== 123 || !line.text.includes('"MESSAGE"')) return false;
    let fields: Record<string, unknown>;
    try {
      fields = JSON.parse(line.text) as Record<string, unknown>;
    } catch {
      return false;
    }
    applyJournalFields(line, (name) => fieldText(fields[name]));
    // As this tool ships lines of log files: no more than a name, which proves nothing.
    const log = fieldText(fields['LOG']) ?? '';
    if (LOG.test(log)) line.stream = log;
    return true;
  },
};

/** Inside an entry, a container's log or a line of syslog an entry is what some program printed: it names nobody. */
export function isSaid({ fromJournal, fromContainer, isNamed }: LineState): boolean {
  return fromJournal || fromContainer || isNamed;
}

/** A field is a string, an array of bytes, an array of either (a repeated field: the first counts), or null (too long). */
function fieldText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  if (value.every((item) => typeof item === 'number')) return Buffer.from(value).toString('utf8');
  return fieldText(value[0]);
}

/** Takes what the fields of a journal entry say; used for every journal form. */
export function applyJournalFields(line: LineState, field: (name: string) => string | null): void {
  const realtime = Number(field('_SOURCE_REALTIME_TIMESTAMP') ?? field('__REALTIME_TIMESTAMP') ?? Number.NaN);
  const monotonic = Number(field('_SOURCE_MONOTONIC_TIMESTAMP') ?? field('__MONOTONIC_TIMESTAMP') ?? Number.NaN);
  if (!Number.isNaN(realtime)) {
    line.wallMs = realtime / 1000;
    line.dated = true;
  }
  if (!Number.isNaN(monotonic)) line.monotonicMs = monotonic / 1000;
  line.fromJournal = true;
  line.bootId = field('_BOOT_ID');
  line.cursor = field('__CURSOR');
  line.pid = field('_PID') ?? field('SYSLOG_PID');
  line.trustedUnit = field('_SYSTEMD_UNIT') ?? trustedTransport(field('_TRANSPORT'));
  line.trustedExecutable = field('_EXE');
  line.trustedUid = field('_UID');
  line.unit = field('UNIT') ?? line.trustedUnit;
  line.identifier = identifierOf(field);
  line.isNamed = line.identifier !== null;
  line.level = levelOfPriority(Number(field('PRIORITY') ?? Number.NaN));
  line.text = field('MESSAGE') ?? '';
}

/** Records of the kernel and of audit have no unit; journald itself names their transport, which stands in for one. */
function trustedTransport(transport: string | null): string | null {
  return transport === 'kernel' || transport === 'audit' ? transport : null;
}

/** A program may call itself what it likes, but only the kernel's own transport is the kernel. */
function identifierOf(field: (name: string) => string | null): string | null {
  const transport = field('_TRANSPORT');
  if (transport === 'kernel') return 'kernel';
  const claimed = field('SYSLOG_IDENTIFIER') ?? field('_COMM');
  return claimed === 'kernel' && transport !== null ? null : claimed;
}
