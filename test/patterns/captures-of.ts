// Says what an expression captures of a record, without counting and without the scan for literals: a quick look before the
// shipped matcher is asked.
import type { LogRecord, Pattern } from '../../src/types.ts';

/** Null if it does not match. */
export function capturesOf(pattern: Pattern, record: LogRecord): Record<string, string> | null {
  const { streams, levels, unit } = pattern;
  if (streams !== null && record.stream !== 'unknown' && !streams.includes(record.stream)) return null;
  if (levels !== null && (record.level === null || !levels.includes(record.level))) return null;
  if (unit !== null && !expression(unit, '').test(record.unit ?? '')) return null;
  const flags = pattern.ignoreCase ? 'si' : 's';
  const match = expression(pattern.regex, flags).exec(record.message);
  if (match === null || pattern.not.some((veto) => expression(veto, flags).test(record.message))) return null;
  return Object.fromEntries(Object.entries(match.groups ?? {}).filter(([, value]) => value !== undefined));
}

const compiled = new Map<string, RegExp>();

function expression(source: string, flags: string): RegExp {
  const key = `${flags}/${source}`;
  let regex = compiled.get(key);
  if (regex === undefined) {
    regex = new RegExp(source, flags);
    compiled.set(key, regex);
  }
  return regex;
}
