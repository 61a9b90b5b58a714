// A small evaluator of CloudWatch Logs Insights queries, ours: no engine of it can be had. It knows the commands and functions that
// our queries use, as AWS documents them, and refuses every other word, so that nothing counts as proven that it passed over.
type Row = Readonly<Record<string, unknown>>;
type Test = (row: Row) => boolean;

interface Event {
  readonly atMs: number;
  readonly text: string;
}

/** Rows as the console would show them, without `@ptr`. */
export function evaluate(query: string, events: readonly Event[]): Row[] {
  let rows: Row[] = events.map(({ atMs, text }) => ({
    ...flat(JSON.parse(text), ''),
    '@timestamp': atMs,
    '@message': text,
  }));
  let shown: string[] | null = null;
  // Without an order the newest comes first.
  rows = rows.toSorted((a, b) => Number(b['@timestamp']) - Number(a['@timestamp']));
  for (const command of query.split(/\s*(?<!\|)\|(?!\|)\s*/)) {
    const { word = '', rest = '' } = /^(?<word>\w+)\s+(?<rest>[^]*)$/.exec(command.trim())?.groups ?? {};
    if (word === 'fields') shown = list(rest);
    else if (word === 'filter') rows = rows.filter(conditionOf(rest));
    else if (word === 'sort') rows = sorted(rows, rest);
    else if (word === 'limit') rows = rows.slice(0, Number(rest));
    else if (word === 'dedup') rows = firstOfEach(rows, rest);
    else if (word === 'stats') [rows, shown] = [stats(rows, rest), null];
    else throw new Error(`unknown command: ${command}`);
  }
  return rows.map((row) => (shown === null ? row : Object.fromEntries(shown.map((name) => [name, row[name]]))));
}

function firstOfEach(rows: readonly Row[], field: string): Row[] {
  const seen = new Set<unknown>();
  return rows.filter((row) => !seen.has(row[field]) && seen.add(row[field]));
}

/** Objects and lists by their path; null is no value. */
function flat(value: unknown, path: string): Row {
  if (value === null) return {};
  if (typeof value !== 'object') return { [path]: value };
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => flat(inner, below(key)))) as Row;
}

function list(text: string): string[] {
  return text.split(/,\s*(?![^(]*\))/).map((name) => name.trim());
}

function conditionOf(text: string): Test {
  const parts = text.split(/\s+and\s+/).map(atomOf);
  return (row) => parts.every((test) => test(row));
}

function atomOf(text: string): Test {
  const present = /^ispresent\((?<field>[\w.@]+)\)$/.exec(text)?.groups;
  if (present !== undefined) return (row) => row[present['field']!] !== undefined;
  const {
    field = '',
    operator = '',
    value = '',
  } = /^(?<field>[\w.@]+)\s+(?<operator>like|in|=|!=|>)\s+(?<value>.+)$/.exec(text)?.groups ?? {};
  const read = (row: Row): string | number | boolean | undefined => row[field] as string | undefined;
  if (operator === 'like') {
    const regex = new RegExp(/^\/(?<body>.+)\/$/.exec(value)!.groups!['body']!);
    return (row) => regex.test(String(read(row) ?? ''));
  }
  if (operator === '') throw new Error(`unknown condition: ${text}`);
  const wanted = JSON.parse(value) as unknown;
  if (operator === 'in') return (row) => (wanted as unknown[]).includes(read(row));
  if (operator === '>') return (row) => Number(read(row)) > Number(wanted);
  return (row) => (read(row) === wanted) === (operator === '=');
}

function sorted(rows: readonly Row[], text: string): Row[] {
  const { field = '', order } = /^(?<field>[\w.@]+) (?<order>asc|desc)$/.exec(text)?.groups ?? {};
  if (order === undefined) throw new Error(`unknown order: ${text}`);
  const sign = order === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (Number(a[field] ?? 0) - Number(b[field] ?? 0)));
}

function stats(rows: readonly Row[], text: string): Row[] {
  const [calls = '', by = ''] = text.split(/\s+by\s+/);
  const keys = list(by);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name] ?? null));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((group) => {
    const values = list(calls).map((call) => {
      const { name, args, as } = /^(?<name>\w+)\((?<args>[^)]*)\) as (?<as>\w+)$/.exec(call)?.groups ?? {};
      if (as === undefined) throw new Error(`unknown call: ${call}`);
      return [as, aggregate(name!, list(args!), group)];
    });
    return { ...Object.fromEntries(keys.map((key) => [key, group[0]![key]])), ...Object.fromEntries(values) } as Row;
  });
}

function aggregate(name: string, [field = '', percent]: readonly string[], rows: readonly Row[]): unknown {
  const known = rows.filter((row) => row[field] !== undefined);
  const values = known.map((row) => row[field]);
  const words = values.map(String).toSorted((a, b) => (a < b ? -1 : 1));
  const numbers = values.map(Number).toSorted((a, b) => a - b);
  switch (name) {
    case 'count':
      return field === '*' ? rows.length : values.length;
    case 'count_distinct':
      return new Set(values).size;
    case 'latest':
      if (rows.some((row) => row['@timestamp'] === undefined))
        throw new Error('latest() needs @timestamp: not after stats');
      return known.toSorted((a, b) => Number(b['@timestamp']) - Number(a['@timestamp']))[0]?.[field];
    case 'sortsFirst':
      return words[0];
    case 'sortsLast':
      return words.at(-1);
    case 'min':
      return numbers[0];
    case 'max':
      return numbers.at(-1);
    case 'pct':
      return numbers[Math.max(0, Math.ceil((numbers.length * Number(percent)) / 100) - 1)];
    default:
      throw new Error(`unknown function: ${name}`);
  }
}
