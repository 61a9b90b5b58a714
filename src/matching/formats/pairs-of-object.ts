// The fields of a JSON log object in the one normal form ` key=value`; nested objects lose their quotes.

const CARRIED_ELSEWHERE = new Set([
  'level',
  'severity',
  'ts',
  'time',
  'timestamp',
  'caller',
  'msg',
  'message',
  'MESSAGE',
  'log',
  'stacktrace',
  'v',
  'logger',
]);

export function pairsOfObject(fields: Readonly<Record<string, unknown>>): string {
  let out = '';
  for (const [key, value] of Object.entries(fields)) {
    if (CARRIED_ELSEWHERE.has(key)) continue;
    out += ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value).replaceAll('"', '')}`;
  }
  return out;
}
