// Counts the matches of each pattern. Memory depends on the pack only: per pattern a count, times, the first three and the
// last three records, and a ring of as many times as its `occurrences` asks for.
import type { LogRecord, MatchSummary, Pattern, Provenance } from '../types.ts';

const KEPT_RECORDS = 3;
const STREAMS_KEPT = 8;

interface Counter {
  provenance: Provenance;
  count: number;
  readonly firstRecords: LogRecord[];
  readonly lastRecords: LogRecord[];
  first: LogRecord;
  last: LogRecord;
  times: number[];
  captures: Readonly<Record<string, string>>;
  lastCaptures: Readonly<Record<string, string>>;
  readonly streams: Set<string>;
}

/** The least that sets records apart: on a live node only proven ones stand above the rest, elsewhere all whose speaker is known. */
export type LeastTrusted = Extract<Provenance, 'proven' | 'pasted'>;

const ORDER = ['proven', 'named', 'pasted', 'unproven', 'foreign'] as const satisfies readonly Provenance[];

function isBetter(a: Provenance, b: Provenance): boolean {
  return ORDER.indexOf(a) < ORDER.indexOf(b);
}

function isTrusted(provenance: Provenance, least: LeastTrusted): boolean {
  return !isBetter(least, provenance);
}

export class Counters {
  readonly #least: LeastTrusted;
  #byKey = new Map<string, Counter>();

  constructor(least: LeastTrusted) {
    this.#least = least;
  }

  add(pattern: Pattern, record: LogRecord, captures: Readonly<Record<string, string>>): void {
    const at = record.time.wallMs ?? record.time.monotonicMs;
    const { provenance } = record;
    let counter = this.#byKey.get(pattern.key);
    const known = counter !== undefined && isTrusted(counter.provenance, this.#least);
    if (known && !isTrusted(provenance, this.#least)) return;
    if (counter === undefined || (!known && isTrusted(provenance, this.#least))) {
      counter = {
        provenance,
        count: 0,
        firstRecords: [],
        lastRecords: [],
        first: record,
        last: record,
        times: [],
        captures,
        lastCaptures: captures,
        streams: new Set(),
      };
      this.#byKey.set(pattern.key, counter);
    }
    if (isBetter(provenance, counter.provenance)) counter.provenance = provenance;
    counter.count += record.repeats ?? 1;
    if (counter.firstRecords.length < KEPT_RECORDS) counter.firstRecords.push(record);
    counter.lastRecords.push(record);
    if (counter.lastRecords.length > KEPT_RECORDS) counter.lastRecords.shift();
    if (isBefore(record, counter.first)) counter.first = record;
    if (!isBefore(record, counter.last)) counter.last = record;
    if (captures !== counter.lastCaptures) counter.lastCaptures = { ...counter.lastCaptures, ...captures };
    if (pattern.keepTimes > 0 && at !== null) {
      counter.times.push(at);
      if (counter.times.length > pattern.keepTimes) counter.times.shift();
    }
    if (counter.streams.size < STREAMS_KEPT) counter.streams.add(record.stream);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The first and last record of each pattern. */
  *ends(): Generator<LogRecord> {
    for (const { first, last } of this.#byKey.values()) {
      yield first;
      if (last !== first) yield last;
    }
  }

  summaries(): Map<string, MatchSummary> {
    return new Map([...this.#byKey].map(([key, counter]) => [key, { key, ...counter, streams: [...counter.streams] }]));
  }
}

/** Undated records never come before others. Of one boot: its wall clock may be set back, the other cannot. */
function isBefore(a: LogRecord, b: LogRecord): boolean {
  if (a.time.monotonicMs !== null && b.time.monotonicMs !== null) return a.time.monotonicMs < b.time.monotonicMs;
  if (a.time.wallMs !== null && b.time.wallMs !== null) return a.time.wallMs < b.time.wallMs;
  return false;
}

/** Joins what two inputs know of the same patterns. */
export function mergeSummaries(
  all: readonly ReadonlyMap<string, MatchSummary>[],
  least: LeastTrusted,
): Map<string, MatchSummary> {
  const merged = new Map<string, MatchSummary>();
  for (const summaries of all)
    for (const [key, summary] of summaries) {
      const known = merged.get(key);
      merged.set(key, known === undefined ? summary : joined(known, summary, least));
    }
  return merged;
}

function joined(a: MatchSummary, b: MatchSummary, least: LeastTrusted): MatchSummary {
  if (isTrusted(a.provenance, least) !== isTrusted(b.provenance, least))
    return isBetter(a.provenance, b.provenance) ? a : b;
  const [early, late] = isBefore(b.first, a.first) ? [b, a] : [a, b];
  const last = isBefore(a.last, b.last) ? b : a;
  return {
    key: a.key,
    provenance: isBetter(b.provenance, a.provenance) ? b.provenance : a.provenance,
    count: a.count + b.count,
    first: early.first,
    last: last.last,
    firstRecords: [...early.firstRecords, ...late.firstRecords].slice(0, KEPT_RECORDS),
    lastRecords: [...early.lastRecords, ...late.lastRecords].slice(-KEPT_RECORDS),
    times: [...a.times, ...b.times].sort((x, y) => x - y).slice(-Math.max(a.times.length, b.times.length)),
    captures: early.captures,
    lastCaptures: { ...(last === b ? a : b).lastCaptures, ...last.lastCaptures },
    streams: [...new Set([...a.streams, ...b.streams])],
  };
}
