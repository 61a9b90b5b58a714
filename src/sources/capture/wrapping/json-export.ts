// JSON that log services and kubectl hand out, as one document or an object a line, back to the lines that it holds.
import { isoInstant } from '../../../lib/instant.ts';
import { exportedTime, stampedLine } from './stamped-line.ts';

type Fields = Readonly<Record<string, unknown>>;

const MESSAGE_KEYS = ['@message', 'message', 'log', 'msg', 'line', 'MESSAGE'];
const TIME_KEYS = ['timestamp', '@timestamp', 'time', 'ts', 'date'];
const DEPTH_MAX = 6;
const NEARLY_ALL = 0.8;

/** A whole document that spans the text; null if it is none, or none with lines in it. */
export function documentLines(text: string): readonly string[] | null {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return null;
  const parsed = parse(text);
  if (parsed === undefined || isLogLine(parsed)) return null;
  const lines = linesWithin(parsed, 0);
  return lines.length === 0 ? null : lines;
}

/** An object a line, the message inside another's fields. */
export function wrappedJsonLines(lines: readonly string[]): readonly string[] | null {
  const given = lines.filter((line) => line.trim() !== '');
  if (given.filter((line) => line.startsWith('{')).length < given.length * NEARLY_ALL) return null;
  let changed = false;
  const undone = lines.flatMap((line) => {
    const fields = line.startsWith('{') ? parse(line) : undefined;
    if (!isFields(fields) || isLogLine(fields)) return [line];
    const found = linesWithin(fields, 0);
    if (found.length === 0) return [line];
    changed = true;
    return found;
  });
  return changed ? undone : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a program or journald itself writes: the formats know it. */
function isLogLine(value: unknown): boolean {
  if (!isFields(value)) return false;
  if ('__CURSOR' in value || '_BOOT_ID' in value || '__REALTIME_TIMESTAMP' in value) return true;
  const hasLevel = 'level' in value || 'severity' in value || 'v' in value;
  if (hasLevel && 'msg' in value) return !('kubernetes' in value);
  return 'level' in value && 'message' in value && ('logger' in value || 'caller' in value || 'commit' in value);
}

function linesWithin(value: unknown, depth: number): string[] {
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value))
    return isInsightsRow(value)
      ? lineOf(fieldsOf(value))
      : isLokiValue(value)
        ? stampedLine(value[1], exportedTime(value[0])).split('\n')
        : value.flatMap((item) => linesWithin(item, depth + 1));
  if (!isFields(value)) return [];
  if (value['kind'] === 'Event' && typeof value['reason'] === 'string') return [eventRow(value)];
  const own = lineOf(value);
  return own.length > 0 ? own : Object.values(value).flatMap((item) => linesWithin(item, depth + 1));
}

function isInsightsRow(items: readonly unknown[]): items is { field: string; value: unknown }[] {
  return (
    items.length > 0 && items.every((item) => isFields(item) && typeof item['field'] === 'string' && 'value' in item)
  );
}

function fieldsOf(row: readonly { readonly field: string; readonly value: unknown }[]): Fields {
  return Object.fromEntries(row.map(({ field, value }) => [field, value]));
}

function isLokiValue(items: readonly unknown[]): items is [string, string] {
  return items.length >= 2 && typeof items[0] === 'string' && /^\d{19}$/.test(items[0]) && typeof items[1] === 'string';
}

/** The message, which may be an object of its own, with the time beside it. */
function lineOf(fields: Fields): string[] {
  const key = MESSAGE_KEYS.find(
    (name) => typeof fields[name] === 'string' || (name !== 'line' && isLogLine(fields[name])),
  );
  if (key === undefined) return [];
  const message = fields[key];
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const time = TIME_KEYS.map((name) => exportedTime(fields[name])).find((ms) => ms !== null) ?? null;
  const unit = fields['systemd_unit'] ?? fields['_SYSTEMD_UNIT'];
  const stamp = isoInstant(time);
  const named =
    typeof unit === 'string' && /^[\w@.-]{1,60}\.service$/.test(unit) && stamp !== null
      ? `${stamp} node ${unit.slice(0, -8)}: ${text}`
      : null;
  return (named ?? stampedLine(text, time)).replace(/\n$/, '').split('\n');
}

/** As the table of `kubectl get events` shows it, with its time where it has one. */
function eventRow(event: Fields): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value.replace(/\s+/g, ' ') : '');
  const source = isFields(event['source']) ? text(event['source']['component']) : text(event['reportingComponent']);
  const count = typeof event['count'] === 'number' && event['count'] > 1 ? ` (x${event['count']} over 0s)` : '';
  const message = text(event['message']) || text(event['note']);
  const row = `  ${text(event['type']) || 'Normal'}  ${text(event['reason'])}  0s${count}  ${source || 'unknown'}  ${message}`;
  const time = exportedTime(event['lastTimestamp'] ?? event['eventTime'] ?? event['firstTimestamp']);
  return stampedLine(row, time);
}
