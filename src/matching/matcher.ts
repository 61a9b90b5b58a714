// Matches records against the pack: builds the scan over all literals, tries each candidate record against the patterns
// whose literal it holds, and counts per boot.
import type {
  Cause,
  Extent,
  ExpressionGuard,
  LogRecord,
  MatchResult,
  MatchSummary,
  NotChecked,
  Pack,
  Pattern,
  SourceSummary,
} from '../types.ts';
import { Counters, type LeastTrusted, mergeSummaries } from './counters.ts';
import { keepLastErrors } from './last-errors.ts';
import type { LineState, StampClock } from './line-state.ts';
import { createLiteralScan, type Literal } from './literal-scan.ts';
import { ownWords } from './quoted-words.ts';
import {
  BYTE_ARRAY,
  BYTE_ARRAY_TIGHT,
  LIVE_WINDOW_BYTES,
  OWN_OUTPUT,
  type ReaderReport,
  type ReaderTools,
  type SourceInfo,
  SourceReader,
  WINDOW_BYTES,
} from './source-reader.ts';
import { EVENTS_STREAM } from './formats/kube-event.ts';
import { streamFinderOf, UNKNOWN_STREAM } from './stream-finder.ts';

/** Every pattern of a pack: milestones, signatures, and the processes of stalls. */
export function patternsOf(pack: Pack): Pattern[] {
  const ofCause = (cause: Cause): Pattern[] => [
    ...cause.signatures.map((signature) => signature.pattern),
    ...cause.stalls.flatMap((stall) => stall.process ?? []),
  ];
  return [...pack.milestones.map((milestone) => milestone.pattern), ...pack.causes.flatMap(ofCause)];
}

export interface Matcher {
  /** Opens an input that is read to its end before the next one is opened; `close` ends it. */
  open(info: SourceInfo): SourceReader;
  /** Opens an input beside others: it is followed while it grows. `close` ends it. */
  openLive(info: SourceInfo): SourceReader;
  close(reader: SourceReader): void;
  /** Forgets a closed input that a newer one replaces, such as an older list of processes. */
  forget(name: string): void;
  /** A fact that a small file of the capture holds. */
  fact(name: string, value: string): void;
  note(notChecked: NotChecked): void;
  /** What is known so far, inputs that are still open included; all of it by default. */
  result(extent?: Extent): MatchResult;
}

export interface MatchContext extends StampClock {
  /** Without one every expression runs as it is. */
  readonly guard?: ExpressionGuard | null;
  /** When this machine booted, in Unix time, as its clock says now; of older records only those with a boot id count. */
  readonly bootWallMs?: () => number | null;
  /** The boot in which this machine is, 32 hex digits; null: the latest that an input shows. */
  readonly bootId?: string | null;
  /** Path of this program, as journald knows it; its own records are dropped. */
  readonly ownExecutable?: string | null;
  /** True on a live node, where what journald or a file's owner vouches for is told apart from all else. */
  readonly isLive?: boolean;
}

/** What one input says, as far as it was read. */
interface ReadSource {
  readonly name: string;
  readonly current: ReadonlyMap<string, MatchSummary>;
  readonly earlier: ReadonlyMap<string, MatchSummary>;
  readonly bootWallMs: number | null;
  readonly bootId: string | null;
  readonly isFollowed: boolean;
  readonly summaries: readonly SourceSummary[];
  readonly notes: readonly NotChecked[];
}

/** Records this much older than the boot still belong to it: stamps of the first second are not exact. */
const BOOT_SLACK_MS = 5_000;
const NOTES_MAX = 10_000;

export function createMatcher(
  pack: Pack,
  {
    guard = null,
    bootWallMs = () => null,
    bootId: ownBootId = null,
    ownExecutable = null,
    isLive = false,
    referenceMs,
  }: MatchContext,
): Matcher {
  const least: LeastTrusted = isLive ? 'proven' : 'pasted';
  const off = new Set<Pattern>();
  const gateOf =
    guard === null
      ? plainGatesOf(pack)
      : createGates(pack, (pattern) => (pattern.guarded ? guarded(pattern, guard, off) : compiled(pattern)));
  const common = { streams: streamFinderOf(pack.streamTable), clock: { referenceMs }, ownExecutable };
  /** Shared by all inputs that are read one after the other. */
  let window: Buffer | null = null;
  const open = new Map<SourceReader, OpenSource>();
  let closed: ReadSource[] = [];
  /** By what they are about: a live run is told again with a higher count. */
  const notes = new Map<string, NotChecked>();
  const facts: Record<string, string> = {};

  function begin(info: SourceInfo, memory: Buffer): SourceReader {
    const gate = gateOf(info.stream);
    const known = latestBoot(closed)?.bootWallMs ?? null;
    const source = new OpenSource(info, gate, least, () => bootWallMs() ?? known);
    const reader = new SourceReader(info, { ...gate, ...common, window: memory }, source);
    open.set(reader, source);
    return reader;
  }

  return {
    open: (info) => begin(info, (window ??= Buffer.allocUnsafeSlow(WINDOW_BYTES))),
    openLive: (info) => begin(info, Buffer.allocUnsafeSlow(LIVE_WINDOW_BYTES)),
    close(reader) {
      const source = open.get(reader)!;
      open.delete(reader);
      const read = source.soFar(reader.end(), reader.isFollowed);
      const before = closed.at(-1);
      if (before === undefined || !isAlike(before, read)) closed.push(read);
      else closed[closed.length - 1] = joinedSources(before, read, least);
    },
    forget(name) {
      closed = closed.filter((source) => source.name !== name);
    },
    fact(name, value) {
      facts[name] ??= value;
    },
    note(entry) {
      const about = JSON.stringify([entry.what, entry.code]);
      if (notes.size < NOTES_MAX || notes.has(about)) notes.set(about, entry);
    },
    result(extent = 'whole') {
      const sources = [
        ...closed,
        ...[...open].map(([reader, source]) => source.soFar(reader.report(extent), reader.isFollowed)),
      ];
      const boot = latestBoot(
        sources.filter((source) => ownBootId === null || source.bootId === null || source.bootId === ownBootId),
      );
      const bootId = ownBootId ?? boot?.bootId ?? sources.find((source) => source.bootId !== null)?.bootId ?? null;
      const isOld = (source: ReadSource): boolean => source.bootId !== null && source.bootId !== bootId;
      return {
        matches: mergeSummaries(
          sources.filter((source) => !isOld(source)).map((source) => source.current),
          least,
        ),
        earlierMatches: mergeSummaries(
          sources.flatMap((source) => (isOld(source) ? [source.earlier, source.current] : [source.earlier])),
          least,
        ),
        sources: sources.flatMap(({ summaries }) => summaries),
        bootWallMs: boot?.bootWallMs ?? bootWallMs(),
        bootId,
        facts,
        notChecked: [
          ...notes.values(),
          ...sources.flatMap(({ notes: ofSource }) => ofSource),
          ...[...off].map(({ key }) => ({ what: key, code: 'signature-off', detail: '' })),
        ],
      };
    },
  };
}

function notesOf(what: string, { cutEntries, passedEntries }: ReaderReport): NotChecked[] {
  const notes = [
    { what, code: 'entries-passed', detail: passedEntries },
    { what, code: 'entries-cut', detail: cutEntries },
  ];
  return notes.filter(({ detail }) => detail > 0).map((note) => ({ ...note, detail: String(note.detail) }));
}

/** Inputs of one boot that were read one after the other are known as one: a capture may hold thousands of files. */
function isAlike(a: ReadSource, b: ReadSource): boolean {
  return !a.isFollowed && !b.isFollowed && a.bootId === b.bootId;
}

function joinedSources(a: ReadSource, b: ReadSource, least: LeastTrusted): ReadSource {
  return {
    ...a,
    current: mergeSummaries([a.current, b.current], least),
    earlier: mergeSummaries([a.earlier, b.earlier], least),
    bootWallMs: latestBoot([a, b])?.bootWallMs ?? null,
    summaries: keepLastErrors([...a.summaries, ...b.summaries]),
    notes: [...a.notes, ...b.notes],
  };
}

/** The input whose boot began last: it tells where the current boot begins. */
function latestBoot(sources: readonly ReadSource[]): ReadSource | null {
  return sources.reduce<ReadSource | null>(
    (latest, source) =>
      source.bootWallMs !== null && source.bootWallMs > (latest?.bootWallMs ?? -Infinity) ? source : latest,
    null,
  );
}

interface Gate {
  readonly scan: ReaderTools['scan'];
  readonly ownLiteralsFrom: number;
  /** Patterns that a literal may lead to, by its index. */
  readonly owners: readonly (readonly CompiledPattern[])[];
}

/** By the stream that an input's name gave. */
type GateOf = (stream: string | null) => Gate;

interface CompiledPattern {
  readonly pattern: Pattern;
  matches(record: LogRecord): Readonly<Record<string, string>> | null;
}

const NO_CAPTURES: Readonly<Record<string, string>> = {};

/** Expressions are compiled at their first candidate; most never are. */
function compiled(pattern: Pattern): CompiledPattern {
  let regex: RegExp | null = null;
  let vetoes: readonly RegExp[] = [];
  let unit: RegExp | null = null;
  return {
    pattern,
    matches(record) {
      if (regex === null) {
        const flags = pattern.ignoreCase ? 'si' : 's';
        regex = new RegExp(pattern.regex, flags);
        vetoes = pattern.not.map((veto) => new RegExp(veto, flags));
        unit = pattern.unit === null ? null : new RegExp(pattern.unit);
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

/** What is asked of a record that an expression has hit, and of no other: once for all expressions. */
interface OwnSaying {
  readonly isForeign: () => boolean;
  /** The record without what it quotes of others; the same one if it quotes nothing. */
  readonly own: () => LogRecord;
}

function onDemand(record: LogRecord, isForeign: () => boolean): OwnSaying {
  let foreign: boolean | null = null;
  let own: LogRecord | null = null;
  return {
    isForeign: () => (foreign ??= isForeign()),
    own() {
      if (own !== null) return own;
      const message = ownWords(record.stream, record.message);
      return (own = message === record.message ? record : { ...record, message });
    },
  };
}

/** A hit in what the record quotes of others is none. */
function matchesOwnWords(
  owner: CompiledPattern,
  record: LogRecord,
  said: OwnSaying,
): ReturnType<CompiledPattern['matches']> {
  const captures = owner.matches(record);
  if (captures === null) return null;
  const own = said.own();
  return own === record ? captures : owner.matches(own);
}

function definedOnly(groups: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

const plainGates = new WeakMap<Pack, GateOf>();

/** They remember nothing of what came through: made once a pack, however many matchers there are. */
function plainGatesOf(pack: Pack): GateOf {
  const gates = plainGates.get(pack) ?? createGates(pack, compiled);
  plainGates.set(pack, gates);
  return gates;
}

/** Lists of one moment have a gate of their own: their everyday words would stop the scan of every log. */
function createGates(pack: Pack, compile: (pattern: Pattern) => CompiledPattern): GateOf {
  const snapshots = new Set(pack.streamTable.streams.filter((stream) => stream.snapshot).map((stream) => stream.name));
  const all = patternsOf(pack);
  const gateFor = (patterns: readonly Pattern[]): Gate => createGate(patterns, compile);
  const logs = gateFor(
    all.filter(({ streams }) => streams === null || streams.some((stream) => !snapshots.has(stream))),
  );
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

/** An event tells what its component said: the kubelet's are its own words, and those of the runtime that it quotes. */
function isEventOf({ stream, component }: LogRecord, streams: readonly string[]): boolean {
  return (
    stream === EVENTS_STREAM &&
    component !== null &&
    (streams.includes(component) || (component === 'kubelet' && streams.includes('containerd')))
  );
}

/** The state of the input that is being read: counters of its latest boot, and of those before. */
class OpenSource {
  readonly info: SourceInfo;
  readonly #gate: Gate;
  readonly #knownBootWallMs: () => number | null;
  bootWallMs: number | null = null;
  #current: Counters;
  /** Counters of earlier boots; the last one takes records that are older than the known boot. */
  readonly #earlier: Counters[];
  readonly #least: LeastTrusted;
  #bootId: string | null = null;
  /** Patterns already tried on the latest record: an entry of several lines may arrive once a line. */
  #tried = new Set<CompiledPattern>();
  readonly #matched = new Set<CompiledPattern>();
  #triedAt: number | null = null;
  #triedChars = 0;

  constructor(info: SourceInfo, gate: Gate, least: LeastTrusted, knownBootWallMs: () => number | null) {
    this.info = info;
    this.#gate = gate;
    this.#least = least;
    this.#current = new Counters(least);
    this.#earlier = [new Counters(least)];
    this.#knownBootWallMs = knownBootWallMs;
  }

  candidate(record: LogRecord, line: LineState, literals: readonly number[], isForeign: () => boolean): number {
    if (line.bootId !== null) this.#enterBoot(line.bootId);
    if (record.provenance === 'foreign') return 0;
    let matches = 0;
    const said = onDemand(record, isForeign);
    const { offset } = record.origin;
    if (offset !== this.#triedAt) this.#matched.clear();
    // A followed entry may be looked at before its last lines come: what did not match then may match now.
    if (offset !== this.#triedAt || record.message.length !== this.#triedChars) this.#tried = new Set(this.#matched);
    this.#triedAt = offset;
    this.#triedChars = record.message.length;
    for (const literal of literals)
      for (const owner of this.#gate.owners[literal]!) {
        if (this.#tried.has(owner)) continue;
        this.#tried.add(owner);
        if (!this.#try(owner, record, said)) continue;
        this.#matched.add(owner);
        matches++;
      }
    return matches;
  }

  kept(): Iterable<LogRecord> {
    return this.#current.ends();
  }

  /** `report` is what the reader knows of the same input. */
  soFar(report: ReaderReport, isFollowed: boolean): ReadSource {
    if (report.bootId !== null) this.#enterBoot(report.bootId);
    return {
      name: this.info.name,
      current: this.#current.summaries(),
      earlier: mergeSummaries(
        this.#earlier.map((counters) => counters.summaries()),
        this.#least,
      ),
      bootWallMs: this.bootWallMs,
      bootId: report.bootId,
      isFollowed,
      summaries: [{ source: this.info.name, ...report }],
      notes: notesOf(this.info.name, report),
    };
  }

  #try(owner: CompiledPattern, record: LogRecord, said: OwnSaying): boolean {
    const { pattern } = owner;
    const { streams } = pattern;
    if (
      streams !== null &&
      record.stream !== UNKNOWN_STREAM &&
      !streams.includes(record.stream) &&
      !isEventOf(record, streams)
    )
      return false;
    const captures = matchesOwnWords(owner, record, said);
    if (captures === null || said.isForeign()) return false;
    if (pattern.startsBoot && this.#countsAsBoot(record)) this.#newBoot(record);
    const { wallMs, monotonicMs } = record.time;
    if (wallMs !== null && monotonicMs !== null) this.bootWallMs = wallMs - monotonicMs;
    const knownBootWallMs = this.#bootId === null ? this.#knownBootWallMs() : null;
    const isOld = knownBootWallMs !== null && wallMs !== null && wallMs < knownBootWallMs - BOOT_SLACK_MS;
    (isOld ? this.#earlier.at(-1)! : this.#current).add(pattern, record, captures);
    return true;
  }

  /** A line that names no process, in an input of many streams, may be quoted text; so may what a script prints. */
  #countsAsBoot(record: LogRecord): boolean {
    if (record.provenance === 'unproven' && record.stream !== UNKNOWN_STREAM) return false;
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
    this.#current = new Counters(this.#least);
    this.bootWallMs = null;
  }
}
