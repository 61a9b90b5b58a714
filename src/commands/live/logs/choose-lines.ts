// Which lines of the logs are shipped: those nearest to the evidence first, then the end of each log in turn, each through redaction,
// until the bound is reached. Pure.
import type { GatheredLog } from './gather-logs.ts';
import type { RawLine } from './kept-lines.ts';

/** CloudWatch counts 26 bytes for an event, and times may be added to it where the node's clock is wrong. */
const LINE_EXTRA_BYTES = 128;
/** Together at most this, so below the 1 MiB that one call takes or gives. */
const ALL_MAX_BYTES = 900_000;
/** For what is next to the evidence; the rest belongs to the ends. */
const NEAR_SHARE = 0.7;
const LINES_MAX = 9_000;
const MESSAGE_MAX_CHARS = 16 * 1024;
/** That tell whose words a line holds, and when. */
const FIELDS =
  '_SYSTEMD_UNIT UNIT SYSLOG_IDENTIFIER _PID _UID _EXE _TRANSPORT PRIORITY __MONOTONIC_TIMESTAMP LOG MESSAGE'.split(
    ' ',
  );

/**
 * Each line as `journalctl -o json` has it, whatever its source: the one form that keeps who wrote it. In the order of `logs`; `redact`
 * sees every text whole.
 */
export function chooseLines(logs: readonly GatheredLog[], bootId: string, redact: (text: string) => string): string[] {
  const near = logs
    .flatMap(({ lines }) => lines)
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance);
  const chosen = new Map<RawLine, string>();
  let bytes = 0;
  const take = (from: Iterable<RawLine>, maxBytes: number): void => {
    for (const line of from) {
      if (chosen.has(line)) continue;
      const entry = entryOf(line, bootId, redact);
      bytes += Buffer.byteLength(entry) + LINE_EXTRA_BYTES;
      if (bytes > maxBytes || chosen.size >= LINES_MAX) return;
      chosen.set(line, entry);
    }
  };
  take(near, ALL_MAX_BYTES * NEAR_SHARE);
  take(endsInTurn(logs), ALL_MAX_BYTES);
  return logs.flatMap(({ lines }) => lines.flatMap((line) => chosen.get(line) ?? []));
}

/** The newest line of each log, then the one before it, and so on. */
function* endsInTurn(logs: readonly GatheredLog[]): Generator<RawLine> {
  const ends = logs.flatMap(({ lines }) => [...Map.groupBy(lines, ({ log }) => log).values()]);
  for (let back = 1; ends.some(({ length }) => length >= back); back++)
    for (const lines of ends) if (lines.length >= back) yield lines.at(-back)!;
}

function entryOf({ fields }: RawLine, bootId: string, redact: (text: string) => string): string {
  const time = fields.get('_SOURCE_REALTIME_TIMESTAMP') ?? fields.get('__REALTIME_TIMESTAMP');
  const told = FIELDS.filter((name) => fields.has(name)).map((name) => [name, redact(fields.get(name)!)]);
  const message = (all: string): string =>
    all.length > MESSAGE_MAX_CHARS ? `${all.slice(0, MESSAGE_MAX_CHARS)}…` : all;
  return JSON.stringify({
    __REALTIME_TIMESTAMP: time,
    _BOOT_ID: bootId,
    ...Object.fromEntries(told.map(([name, all]) => [name, message(all!)])),
  });
}
