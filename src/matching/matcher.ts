// Matches records against the pack: builds the scan over all literals, tries each candidate record against the patterns
// whose literal it holds, and counts per boot.
import type { Cause, ExpressionGuard, LogRecord, MatchResult, MatchSummary, NotChecked, Pack, Pattern, SourceSummary } from '../types.ts';
import { Counters, mergeSummaries } from './counters.ts';
import type { LineState, StampClock } from './line-state.ts';
import { createLiteralScan, type Literal } from './literal-scan.ts';
import { BYTE_ARRAY, BYTE_ARRAY_TIGHT, OWN_OUTPUT, type ReaderTools, type SourceInfo, SourceReader, WINDOW_BYTES } from './source-reader.ts';
import { createStreamFinder, UNKNOWN_STREAM } from './stream-finder.ts';

/** Every pattern of a pack: milestones, signatures, and the processes of stalls. */
export function patternsOf(pack: Pack): Pattern[] {
  const ofCause = (cause: Cause): Pattern[] => [
    ...cause.signatures.map((signature) => signature.pattern),
    ...cause.stalls.flatMap((stall) => stall.process ?? []),
  ];
  return [...pack.milestones.map((milestone) => milestone.pattern), ...pack.causes.flatMap(ofCause)];
}

export interface Matcher {
  /** Opens an input. Inputs are read one after the other; `close` ends the one that is open. */
  open(info: SourceInfo): SourceReader;
  close(reader: SourceReader): void;
  /** A fact that a small file of the capture holds. */
  fact(name: string, value: string): void;
  note(notChecked: NotChecked): void;
  result(): MatchResult;
}

interface FinishedSource {
  readonly current: ReadonlyMap<string, MatchSummary>;
  readonly earlier: ReadonlyMap<string, MatchSummary>;
  readonly bootWallMs: number | null;
  readonly bootId: string | null;
}

/** Records this much older than the boot still belong to it: stamps of the first second are not exact. */
const BOOT_SLACK_MS = 5_000;

/** Without a guard every expression runs as it is. */
export function createMatcher(pack: Pack, clock: StampClock, guard: ExpressionGuard | null = null): Matcher {
  const off = new Set<Pattern>();
  const gateOf = createGates(pack, (pattern) => (guard === null || !pattern.guarded ? compiled(pattern) : guarded(pattern, guard, off)));
  const common = { streams: createStreamFinder(pack.streamTable), clock, window: Buffer.allocUnsafeSlow(WINDOW_BYTES) };
  const finished: FinishedSource[] = [];
  const sources: SourceSummary[] = [];
  const notChecked: NotChecked[] = [];
  const facts: Record<string, string> = {};
  let open: OpenSource | null = null;
  let boot: FinishedSource | null = null;

  return {
    open(info) {
      const gate = gateOf(info.stream);
      const source = new OpenSource(info, gate, boot?.bootWallMs ?? null);
      open = source;
      return new SourceReader(info, { ...gate, ...common }, source);
    },
    close(reader) {
      const source = open!;
      const report = reader.end();
      if (report.bootId !== null) source.endsInBoot(report.bootId);
      const done: FinishedSource = { ...source.summaries(), bootWallMs: source.bootWallMs, bootId: report.bootId };
      finished.push(done);
      if (done.bootWallMs !== null && done.bootWallMs > (boot?.bootWallMs ?? -Infinity)) boot = done;
      if (report.cutEntries > 0) notChecked.push({ what: source.info.name, code: 'entries-cut', detail: String(report.cutEntries) });
      sources.push({ source: source.info.name, ...report });
      open = null;
    },
    fact(name, value) {
      facts[name] ??= value;
    },
    note(entry) {
      notChecked.push(entry);
    },
    result() {
      const bootId = boot?.bootId ?? finished.find((source) => source.bootId !== null)?.bootId ?? null;
      const isOld = (source: FinishedSource): boolean => source.bootId !== null && source.bootId !== bootId;
      return {
        matches: mergeSummaries(finished.filter((source) => !isOld(source)).map((source) => source.current)),
        earlierMatches: mergeSummaries(finished.flatMap((source) => (isOld(source) ? [source.earlier, source.current] : [source.earlier]))),
        sources,
        bootWallMs: boot?.bootWallMs ?? null,
        bootId,
        facts,
        notChecked: [...notChecked, ...[...off].map(({ key }) => ({ what: key, code: 'signature-off', detail: '' }))],
      };
    },
  };
}

interface Gate {
  readonly scan: ReaderTools['scan'];
  readonly ownLiteralsFrom: number;
  /** Patterns that a literal may lead to, by its index. */
  readonly owners: readonly (readonly CompiledPattern[])[];
}

interface CompiledPattern {
  readonly pattern: Pattern;
  readonly streams: ReadonlySet<string> | null;
  matches(record: LogRecord): Readonly<Record<string, string>> | null;
}

const NO_CAPTURES: Readonly<Record<string, string>> = {};

/** Expressions are compiled at their first candidate; most never are. */
function compiled(pattern: Pattern): CompiledPattern {
  let regex: RegExp | null = null;
  let vetoes: readonly RegExp[] = [];
  const unit = pattern.unit === null ? null : new RegExp(pattern.unit);
  return {
    pattern,
    streams: pattern.streams === null ? null : new Set(pattern.streams),
    matches(record) {
      if (regex === null) {
        const flags = pattern.ignoreCase ? 'si' : 's';
        regex = new RegExp(pattern.regex, flags);
        vetoes = pattern.not.map((veto) => new RegExp(veto, flags));
      }
      if (pattern.levels !== null && (record.level === null || !pattern.levels.includes(record.level))) return null;
      if (unit !== null && !unit.test(record.unit ?? '')) return null;
      const match = regex.exec(record.message);
      if (match === null || vetoes.some((veto) => veto.test(record.message))) return null;
      return match.groups === undefined ? NO_CAPTURES : definedOnly(match.groups);
    },
  };
}

/** Tries the pattern under the guard, and no more once it was cut off. */
function guarded(pattern: Pattern, guard: ExpressionGuard, off: Set<Pattern>): CompiledPattern {
  const plain = compiled(pattern);
  return {
    ...plain,
    matches(record) {
      if (off.has(pattern)) return null;
      let captures: ReturnType<CompiledPattern['matches']> = null;
      const ended = guard.run(pattern, () => {
        captures = plain.matches(record);
      });
      if (!ended) off.add(pattern);
      return ended ? captures : null;
    },
  };
}

function definedOnly(groups: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Lists of one moment have a gate of their own: their everyday words would stop the scan of every log. */
function createGates(pack: Pack, compile: (pattern: Pattern) => CompiledPattern): (stream: string | null) => Gate {
  const snapshots = new Set(pack.streamTable.streams.filter((stream) => stream.snapshot).map((stream) => stream.name));
  const all = patternsOf(pack);
  const gateFor = (patterns: readonly Pattern[]): Gate => createGate(patterns, compile);
  const logs = gateFor(all.filter(({ streams }) => streams === null || streams.some((stream) => !snapshots.has(stream))));
  const byStream = new Map<string, Gate>();
  return (stream) => {
    if (stream === null || !snapshots.has(stream)) return logs;
    const gate = byStream.get(stream) ?? gateFor(all.filter(({ streams }) => streams?.includes(stream)));
    byStream.set(stream, gate);
    return gate;
  };
}

function createGate(patterns: readonly Pattern[], compile: (pattern: Pattern) => CompiledPattern): Gate {
  const literals: Literal[] = [];
  const owners: CompiledPattern[][] = [];
  const indexOf = new Map<string, number>();
  for (const pattern of patterns) {
    const owner = compile(pattern);
    for (const text of pattern.literals) {
      const name = `${pattern.ignoreCase ? 'i' : 'c'}${text}`;
      let index = indexOf.get(name);
      if (index === undefined) {
        index = literals.length;
        literals.push({ text, ignoreCase: pattern.ignoreCase });
        owners.push([]);
        indexOf.set(name, index);
      }
      owners[index]!.push(owner);
    }
  }
  const own = [OWN_OUTPUT, BYTE_ARRAY, BYTE_ARRAY_TIGHT].map((text) => ({ text, ignoreCase: false }));
  return { scan: createLiteralScan([...literals, ...own]), ownLiteralsFrom: literals.length, owners };
}

/** The state of the input that is being read: counters of its latest boot, and of those before. */
class OpenSource {
  readonly info: SourceInfo;
  readonly #gate: Gate;
  readonly #knownBootWallMs: number | null;
  bootWallMs: number | null = null;
  #current = new Counters();
  /** Counters of earlier boots; the last one takes records that are older than the known boot. */
  readonly #earlier: Counters[] = [new Counters()];
  #bootId: string | null = null;
  /** Patterns already tried on the latest record: an entry of several lines may arrive once a line. */
  #tried = new Set<CompiledPattern>();
  #triedAt: number | null = null;

  constructor(info: SourceInfo, gate: Gate, knownBootWallMs: number | null) {
    this.info = info;
    this.#gate = gate;
    this.#knownBootWallMs = knownBootWallMs;
  }

  candidate(record: LogRecord, line: LineState, literals: readonly number[]): void {
    if (line.bootId !== null) this.#enterBoot(line.bootId);
    if (record.origin.offset !== this.#triedAt) this.#tried.clear();
    this.#triedAt = record.origin.offset;
    for (const literal of literals)
      for (const owner of this.#gate.owners[literal]!) {
        if (this.#tried.has(owner)) continue;
        this.#tried.add(owner);
        this.#try(owner, record);
      }
  }

  summaries(): { readonly current: Map<string, MatchSummary>; readonly earlier: Map<string, MatchSummary> } {
    return { current: this.#current.summaries(), earlier: mergeSummaries(this.#earlier.map((counters) => counters.summaries())) };
  }

  endsInBoot(bootId: string): void {
    this.#enterBoot(bootId);
  }

  #try(owner: CompiledPattern, record: LogRecord): void {
    const { pattern, streams } = owner;
    if (streams !== null && record.stream !== UNKNOWN_STREAM && !streams.has(record.stream)) return;
    const captures = owner.matches(record);
    if (captures === null) return;
    if (pattern.startsBoot && this.#countsAsBoot(record)) this.#newBoot(record);
    const { wallMs, monotonicMs } = record.time;
    if (wallMs !== null && monotonicMs !== null) this.bootWallMs = wallMs - monotonicMs;
    const isOld = this.#knownBootWallMs !== null && wallMs !== null && wallMs < this.#knownBootWallMs - BOOT_SLACK_MS;
    (isOld ? this.#earlier.at(-1)! : this.#current).add(pattern, record, captures);
  }

  /** A line that names no process, in an input of many streams, may be quoted text. */
  #countsAsBoot(record: LogRecord): boolean {
    return record.stream !== 'cloud-init-output' || this.info.stream === 'cloud-init-output';
  }

  #enterBoot(bootId: string): void {
    if (this.#bootId !== null && this.#bootId !== bootId) this.#retire();
    this.#bootId = bootId;
  }

  #newBoot(record: LogRecord): void {
    if (this.#bootId === null) this.#retire();
    const { wallMs, monotonicMs } = record.time;
    this.bootWallMs = wallMs === null ? null : wallMs - (monotonicMs ?? 0);
  }

  #retire(): void {
    if (this.#current.size > 0) this.#earlier.unshift(this.#current);
    this.#current = new Counters();
    this.bootWallMs = null;
  }
}
