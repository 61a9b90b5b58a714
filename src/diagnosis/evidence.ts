// The lines that prove a verdict, the strongest first.
import type { Evidence, LogRecord, MatchResult } from '../types.ts';
import type { Axis } from './axis.ts';
import type { Finding } from './finding.ts';

const LINES_MAX = 8;

export function evidenceFor(finding: Finding, axis: Axis): Evidence[] {
  const lines: Evidence[] = [];
  for (const { signature, summary } of finding.hits) {
    lines.push(line(summary.first, signature.pattern.key, summary.count, axis));
    if (summary.count > 1 && summary.last.raw !== summary.first.raw)
      lines.push(line(summary.last, signature.pattern.key, summary.count, axis));
  }
  if (finding.stall !== null) {
    const { stall, since, process } = finding.stall;
    lines.push(line(since, `${finding.cause.id}/${stall.id}`, 1, axis));
    if (process !== null) lines.push(line(process.first, `${finding.cause.id}/${stall.id}`, process.count, axis));
  }
  return lines.slice(0, LINES_MAX);
}

/** Without a cause: the last error-level records of each stream. */
export function lastErrors(match: MatchResult, axis: Axis): Evidence[] {
  const records = match.sources.flatMap((source) => source.lastErrors);
  const seen = new Set<string>();
  return records
    .filter((record) => !seen.has(record.message) && seen.add(record.message))
    .sort((a, b) => (axis.at(b) ?? 0) - (axis.at(a) ?? 0))
    .slice(0, LINES_MAX)
    .map((record) => line(record, 'last-error', 1, axis));
}

function line(record: LogRecord, signature: string, count: number, axis: Axis): Evidence {
  const { source, offset, line: number = null, cursor } = record.origin;
  const context = record.around?.lines();
  const place = number === 0 ? '' : number !== null ? `:${number}` : offset !== null ? ` byte ${offset}` : '';
  return {
    stream: record.stream,
    time: axis.format(axis.at(record)),
    origin: cursor !== null ? `${source} ${cursor}` : `${source}${place}`,
    line: record.raw,
    signature,
    count,
    ...(context === undefined || context.before.length + context.after.length === 0 ? {} : { context }),
  };
}
