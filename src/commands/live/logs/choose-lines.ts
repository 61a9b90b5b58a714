// Which lines of the logs are shipped, and as what: those nearest to the evidence first, then the end of each log in turn, each
// through redaction, until the bound is reached. Pure.
import type { GatheredLogs } from './gather-logs.ts';
import type { RawLine } from './kept-lines.ts';

export interface ChosenLine {
  /** A journal entry as `journalctl -o json` has it, whatever its source: the one form that keeps who wrote it. */
  readonly entry: string;
  /** For a file of its own: a line of a log file as it is, otherwise `entry`. */
  readonly plain: string;
}

export interface ChosenLog {
  readonly path: string;
  readonly lines: readonly ChosenLine[];
}

export interface Chosen {
  readonly logs: readonly ChosenLog[];
  readonly chosen: number;
  readonly total: number;
}

/** CloudWatch counts 26 bytes for an event, and times may be added to it where the node's clock is wrong. */
const LINE_EXTRA_BYTES = 128;
/** Together at most this, so below the 1 MiB that one call takes or gives. */
const ALL_MAX_BYTES = 900_000;
/** For what is next to the evidence; the rest belongs to the ends. */
const NEAR_SHARE = 0.7;
const LINES_MAX = 9_000;
const MESSAGE_MAX_CHARS = 16 * 1024;
const FIELDS = [
  '_SYSTEMD_UNIT',
  'UNIT',
  'SYSLOG_IDENTIFIER',
  '_PID',
  '_UID',
  '_EXE',
  '_TRANSPORT',
  'PRIORITY',
  '__MONOTONIC_TIMESTAMP',
];

interface Candidate {
  readonly line: RawLine;
  readonly stream: string | null;
}

/** `redact` sees every text that was read, whole. */
export function chooseLines(gathered: GatheredLogs, bootId: string, redact: (text: string) => string): Chosen {
  const logs = gathered.logs.map(({ stream, lines }) => lines.map((line): Candidate => ({ line, stream })));
  const near = logs
    .flat()
    .filter(({ line }) => line.distance < Infinity)
    .sort((a, b) => a.line.distance - b.line.distance);
  const chosen = new Map<RawLine, ChosenLine>();
  let bytes = 0;
  const take = (from: Iterable<Candidate>, maxBytes: number): void => {
    for (const { line, stream } of from) {
      if (chosen.has(line)) continue;
      const made = lineOf(line, stream, bootId, redact);
      const more = Buffer.byteLength(made.entry) + LINE_EXTRA_BYTES;
      if (bytes + more > maxBytes || chosen.size >= LINES_MAX) return;
      bytes += more;
      chosen.set(line, made);
    }
  };
  take(near, ALL_MAX_BYTES * NEAR_SHARE);
  take(endsInTurn(logs), ALL_MAX_BYTES);
  return {
    logs: gathered.logs.map(({ path, lines }) => ({ path, lines: lines.flatMap((line) => chosen.get(line) ?? []) })),
    chosen: chosen.size,
    total: gathered.logs.reduce((sum, { total }) => sum + total, 0),
  };
}

/** The newest line of each log, then the one before it, and so on. */
function* endsInTurn(logs: readonly (readonly Candidate[])[]): Generator<Candidate> {
  const ends = logs.flatMap((lines) => [...Map.groupBy(lines, ({ line }) => line.log).values()]);
  for (let back = 1; ends.some(({ length }) => length >= back); back++)
    for (const lines of ends) if (lines.length >= back) yield lines.at(-back)!;
}

function lineOf(
  { text, fields }: RawLine,
  stream: string | null,
  bootId: string,
  redact: (text: string) => string,
): ChosenLine {
  const cleaned = redact(text);
  const message = cleaned.length > MESSAGE_MAX_CHARS ? `${cleaned.slice(0, MESSAGE_MAX_CHARS)}…` : cleaned;
  if (fields === null) {
    // A file says no more than its own lines do: neither a unit nor a time.
    const entry = JSON.stringify({ _BOOT_ID: bootId, LOG: stream ?? undefined, MESSAGE: message });
    return { entry, plain: message.replaceAll('\n', String.raw`\n`) };
  }
  const time = fields.get('_SOURCE_REALTIME_TIMESTAMP') ?? fields.get('__REALTIME_TIMESTAMP');
  const others = FIELDS.flatMap((name) => (fields.has(name) ? [[name, redact(fields.get(name)!)]] : []));
  const entry = JSON.stringify({
    __REALTIME_TIMESTAMP: time,
    _BOOT_ID: bootId,
    ...Object.fromEntries(others),
    MESSAGE: message,
  });
  return { entry, plain: entry };
}
