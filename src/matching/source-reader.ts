// Reads one input's bytes through a window: scans it for literals, cuts the entries round the hits, and hands them on as
// records. Lines without a literal are never parsed, but for the input's first and last ones, which give times.
import { instantMs } from '../lib/instant.ts';
import type { Extent, Level, LogRecord } from '../types.ts';
import { unwrapInner, unwrapOuter } from './formats/index.ts';
import { cutEntry, ENTRY_REACH_BYTES, type Entry, lineBounds } from './entry.ts';
import { type LineState, newLineState, type StampClock } from './line-state.ts';
import { countNewlines } from './count-newlines.ts';
import type { LiteralScan } from './literal-scan.ts';
import { isToolAnswer } from './shell-session.ts';
import { type Ground, Surroundings } from './surroundings.ts';
import { type StreamFinder, UNKNOWN_STREAM } from './stream-finder.ts';

export interface SourceInfo {
  /** Name shown as origin: a path, or `journal`. */
  readonly name: string;
  /** Stream that the name gave, null if every line names its own. */
  readonly stream: string | null;
  /** True if the bytes are `journalctl -o export`. */
  readonly exported: boolean;
}

/** Bookkeeping literals that the reader looks for beside those of the pack. */
export const OWN_OUTPUT = 'eks-bootstrap-analyzer';
export const BYTE_ARRAY = 'MESSAGE" : [';
export const BYTE_ARRAY_TIGHT = 'MESSAGE":[';

/** How a verdict in one line of JSON begins. */
const OWN_JSON = '{"schemaVersion":1,"id":"';

export interface ReaderTools {
  readonly scan: LiteralScan;
  /** Literals from this index on are the bookkeeping ones, in the order of the constants above. */
  readonly ownLiteralsFrom: number;
  readonly streams: StreamFinder;
  readonly clock: StampClock;
  /** The window's memory, `WINDOW_BYTES` or `LIVE_WINDOW_BYTES` long. */
  readonly window: Buffer;
  /** What journald knows this program as: its own records are dropped. Null outside a live run. */
  readonly ownExecutable: string | null;
}

export interface CandidateSink {
  /** A record in which literals stand; says how many patterns matched it. Literals may repeat. `isForeign` is worth asking only of a match. */
  candidate(record: LogRecord, line: LineState, literals: readonly number[], isForeign: () => boolean): number;
  /** The matches of this input that may become evidence. */
  kept(): Iterable<LogRecord>;
}

/** What is known of an input so far. */
export interface ReaderReport {
  readonly bytes: number;
  readonly cutEntries: number;
  /** Entries that say only what was found thousands of times before, and were not looked at. */
  readonly passedEntries: number;
  readonly earlierVerdicts: number;
  readonly firstWallMs: number | null;
  readonly lastWallMs: number | null;
  readonly lastMonotonicMs: number | null;
  readonly bootId: string | null;
  readonly lastErrors: readonly LogRecord[];
  readonly streams: readonly string[];
}

const CHUNK_BYTES = 4 * 1024 * 1024;
const LIVE_CHUNK_BYTES = 192 * 1024;
/** Kept before the place where the next scan begins, and held back before it: an entry round a hit is always whole. */
const MARGIN_BYTES = ENTRY_REACH_BYTES + 1024;
export const WINDOW_BYTES = CHUNK_BYTES + 2 * MARGIN_BYTES;
/** A source that is followed has a window of its own, since many are open at once. */
export const LIVE_WINDOW_BYTES = LIVE_CHUNK_BYTES + 2 * MARGIN_BYTES;
const UNDERSCORE = 95;
const TRUSTED_FIELD = /^__?[A-Z][A-Z_]*=/;
/** Where bootstrap.sh prints, and where nobody knows. */
const SPEAKS_FOR_BOOTSTRAP: ReadonlySet<string> = new Set([
  'cloud-init',
  'cloud-init-output',
  'user-data',
  'bootstrap',
  UNKNOWN_STREAM,
]);
const RAW_MAX_CHARS = 4096;
const TAIL_LINES_MAX = 400;
/** A line without a stamp is soon followed by one that has it. */
const DATED_WITHIN_LINES = 10;
const ERRORS_PER_STREAM = 3;
/** Behind this place only the byte is told: counting the lines of gigabytes takes longer than it is worth (30 ms for 64 MB). */
const COUNTED_MAX_BYTES = 128 * 1024 * 1024;
const SATED_MATCHES = 10_000;
/** One in so many. */
const SATED_LOOKED_AT = 64;

/** What one of the last entries says of the input's end. */
interface TailEntry {
  readonly wallMs: number | null;
  readonly monotonicMs: number | null;
  readonly bootId: string | null;
  readonly error: LogRecord | null;
}

export class SourceReader {
  readonly #info: SourceInfo;
  readonly #tools: ReaderTools;
  readonly #sink: CandidateSink;
  readonly #window: Buffer;
  #length = 0;
  #scanned = 0;
  /** File offset of the window's first byte. */
  #base = 0;
  /** Newlines before this place of the window. */
  #countedTo = 0;
  #newlines = 0;
  #hasLines = true;
  #cutEntries = 0;
  #passed = 0;
  #lastPassed: { readonly place: number; readonly literals: readonly number[] } | null = null;
  readonly #matchesOf = new Map<number, number>();
  readonly #sated = new Set<number>();
  #earlierVerdicts = 0;
  #firstWallMs: number | null = null;
  readonly #streams = new Set<string>();
  #report: ReaderReport | null = null;
  #reported: Extent = 'whole';
  #matches = 0;
  #isAtEnd = false;
  readonly #ground: Ground;

  constructor(info: SourceInfo, tools: ReaderTools, sink: CandidateSink) {
    this.#info = info;
    this.#tools = tools;
    this.#sink = sink;
    this.#window = tools.window;
    this.#ground = { exported: info.exported, clock: tools.clock, isOwn: (line) => this.#isOwn(line) };
    if (info.stream !== null) this.#streams.add(info.stream);
  }

  /** To be called before anything is read: the bytes are not those of the file. */
  forgetLines(): void {
    this.#hasLines = false;
  }

  /** Free part of the window, to be read into; never empty. Call `advance` with the number of bytes that were put there. */
  space(): Buffer {
    return this.#window.subarray(this.#length);
  }

  advance(bytes: number): void {
    const before = this.#length;
    this.#length += bytes;
    if (this.#scanned === before) this.#lookAgain();
    this.#work(this.#length - MARGIN_BYTES);
    this.#slide();
  }

  /** Copies bytes that did not come through `space`. */
  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + this.space().length);
      this.#window.set(part, this.#length);
      this.advance(part.length);
      at += part.length;
    }
  }

  end(): ReaderReport {
    this.#work(this.#length);
    this.#lookAtLastPassed();
    this.#isAtEnd = true;
    return this.report();
  }

  /**
   * Looks at what has arrived although more may come. The last entry is held back unless the input is quiet: its
   * continuation may be on the way.
   */
  settle(isQuiet: boolean): void {
    if (this.#scanned === this.#length) return;
    this.#work(isQuiet ? this.#length : this.#entryAt(this.#length - 1).start);
  }

  /** The entry that was looked at last may go on in what has just come. */
  #lookAgain(): void {
    if (this.#scanned > 0) this.#scanned = Math.min(this.#scanned, this.#entryAt(this.#scanned).start);
  }

  /** Matches so far; grows when there is something new to judge. */
  get matches(): number {
    return this.#matches;
  }

  report(extent: Extent = 'whole'): ReaderReport {
    const bytes = this.#base + this.#length;
    this.#keepAround(this.#sink.kept());
    const isKnown = this.#report?.bytes === bytes && this.#report.cutEntries === this.#cutEntries;
    if (this.#report === null || !isKnown || (extent === 'whole' && this.#reported === 'times')) {
      if (this.#base === 0) this.#readHead();
      const tail = this.#readTail(extent);
      this.#reported = extent;
      this.#report = {
        bytes,
        cutEntries: this.#cutEntries,
        passedEntries: this.#passed - Math.floor(this.#passed / SATED_LOOKED_AT),
        earlierVerdicts: this.#earlierVerdicts,
        firstWallMs: this.#firstWallMs,
        streams: [...this.#streams],
        ...tail,
      };
    }
    return this.#report;
  }

  #slide(): void {
    const drop = this.#scanned - MARGIN_BYTES;
    if (drop <= 0 || this.#window.length - this.#length >= (this.#window.length - 2 * MARGIN_BYTES) / 2) return;
    if (this.#base === 0) this.#readHead();
    if (this.#countedTo < drop) this.#lineAt(drop);
    this.#keepAround(this.#sink.kept());
    this.#window.copyWithin(0, drop, this.#length);
    this.#base += drop;
    this.#countedTo -= drop;
    this.#length -= drop;
    this.#scanned -= drop;
  }

  #work(to: number): void {
    if (to <= this.#scanned) return;
    let entryEnd = -1;
    let at = 0;
    let literals: number[] = [];
    const bytes = new DataView(this.#window.buffer, this.#window.byteOffset, this.#length);
    this.#tools.scan.scan(bytes, this.#scanned, to, (literal, place) => {
      if (this.#info.exported && this.#isTrustedField(place)) return;
      if (place > entryEnd) {
        if (literals.length > 0) this.#entry(at, literals);
        at = place;
        literals = [];
        entryEnd = this.#info.exported ? place : lineBounds(this.#window, this.#length, place).end;
      }
      literals.push(literal);
    });
    if (literals.length > 0) this.#entry(at, literals);
    this.#scanned = to;
  }

  /** In a journal export: does the place stand in one of journald's own fields (`_EXE=…`) and not in the message? */
  #isTrustedField(place: number): boolean {
    const { start } = lineBounds(this.#window, this.#length, place);
    return this.#window[start] === UNDERSCORE && TRUSTED_FIELD.test(this.#window.toString('latin1', start, start + 32));
  }

  #entry(at: number, literals: readonly number[]): void {
    if (this.#isSated(literals) && ++this.#passed % SATED_LOOKED_AT !== 0) {
      this.#lastPassed = { place: this.#base + at, literals };
      return;
    }
    this.#lastPassed = null;
    this.#lookAt(at, literals);
  }

  /** A log may hold one line ten million times: of what was found often enough only some entries are looked at, and the very last. */
  #isSated(literals: readonly number[]): boolean {
    return this.#sated.size > 0 && literals.every((literal) => this.#sated.has(literal));
  }

  /** It grows while it is read; what is said of it now may be said anew. */
  get isFollowed(): boolean {
    return this.#window.length < WINDOW_BYTES;
  }

  #countMatch(literals: readonly number[]): void {
    // What is followed comes slowly, and its last line counts at any moment.
    if (this.isFollowed) return;
    for (const literal of literals) {
      const count = (this.#matchesOf.get(literal) ?? 0) + 1;
      this.#matchesOf.set(literal, count);
      if (count >= SATED_MATCHES) this.#sated.add(literal);
    }
  }

  #lookAtLastPassed(): void {
    const last = this.#lastPassed;
    this.#lastPassed = null;
    if (last !== null && last.place >= this.#base) this.#lookAt(last.place - this.#base, last.literals);
  }

  #lookAt(at: number, literals: readonly number[]): void {
    const entry = this.#entryAt(at);
    if (entry.cut) this.#cutEntries++;
    if (entry.noise) return;
    const { line } = entry;
    if (this.#isOwn(line)) {
      if (isVerdict(line)) this.#earlierVerdicts++;
      return;
    }
    const decoded = literals.some((literal) => literal > this.#tools.ownLiteralsFrom);
    const wanted = decoded
      ? this.#literalsOf(line.text)
      : literals.filter((literal) => literal < this.#tools.ownLiteralsFrom);
    if (wanted.length === 0) return;
    const { text } = line;
    const record = this.#record(entry);
    const mayBeAnswer = record.provenance === 'unproven' && this.#info.stream === null;
    const isForeign = (): boolean =>
      mayBeAnswer && (this.#tools.streams.isToolOutput(text) || isToolAnswer(this.#window, this.#length, entry.start));
    const matches = this.#sink.candidate(record, line, wanted, isForeign);
    this.#matches += matches;
    if (matches > 0) this.#countMatch(wanted);
  }

  /** Only of what still counts when its bytes go: a flood of matches costs no more than a few. */
  #keepAround(records: Iterable<LogRecord>): void {
    const memory = { bytes: this.#window, length: this.#length, base: this.#base, isEnd: this.#isAtEnd };
    for (const record of records) {
      record.around ??= new Surroundings(this.#ground, record.origin);
      if (record.around instanceof Surroundings) record.around.keep(memory);
    }
  }

  #entryAt(at: number): Entry {
    return cutEntry(this.#window, this.#length, at, this.#info.exported, this.#tools.clock);
  }

  #isOwn(line: LineState): boolean {
    return isOwn(line) || (this.#tools.ownExecutable !== null && line.trustedExecutable === this.#tools.ownExecutable);
  }

  /** Literals in a text that the raw bytes did not show (a byte array). */
  #literalsOf(text: string): number[] {
    const bytes = Buffer.from(text, 'utf8');
    const found: number[] = [];
    this.#tools.scan.scan(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, (literal) => {
      if (literal < this.#tools.ownLiteralsFrom) found.push(literal);
    });
    return found;
  }

  #record(entry: Pick<Entry, 'line' | 'start' | 'end' | 'raw'>): LogRecord {
    const { line } = entry;
    const found = this.#tools.streams.find(line, line.text, this.#info.stream);
    unwrapInner(line, this.#tools.clock);
    const stream = line.stream === 'bootstrap' && SPEAKS_FOR_BOOTSTRAP.has(found.stream) ? 'bootstrap' : found.stream;
    if (this.#streams.size < 64) this.#streams.add(stream);
    return {
      stream,
      process: line.identifier === null ? null : `${line.identifier}[${line.pid ?? ''}]`,
      time: { wallMs: instantMs(line.wallMs), monotonicMs: instantMs(line.monotonicMs) },
      origin: {
        source: this.#info.name,
        offset: this.#base + entry.start,
        line: this.#lineAt(entry.start),
        cursor: line.cursor,
        end: this.#base + entry.end,
      },
      raw: entry.raw.length > RAW_MAX_CHARS ? `${entry.raw.slice(0, RAW_MAX_CHARS)}…` : entry.raw,
      message: line.text,
      level: line.level,
      ...(line.repeats > 1 ? { repeats: line.repeats } : {}),
      component: line.component,
      unit: stream === 'systemd' ? unitOf(line) : line.unit,
      provenance: found.provenance,
    };
  }

  /** Number of the line that begins at a place of the window; null where lines are not counted, 0 where there are none. */
  #lineAt(place: number): number | null {
    if (!this.#hasLines) return 0;
    if (this.#info.exported || this.#base + place > COUNTED_MAX_BYTES) return null;
    if (place >= this.#countedTo) this.#newlines += countNewlines(this.#window, this.#countedTo, place);
    else this.#newlines -= countNewlines(this.#window, place, this.#countedTo);
    this.#countedTo = place;
    return this.#newlines + 1;
  }

  #readHead(): void {
    let at = 0;
    for (let lines = 0; lines < 20 && at < this.#length && this.#firstWallMs === null; lines++) {
      const entry = this.#entryAt(at);
      unwrapInner(entry.line, this.#tools.clock);
      this.#firstWallMs = instantMs(entry.line.wallMs);
      at = lineBounds(this.#window, this.#length, at).end + 1;
    }
  }

  #readTail(extent: Extent): Pick<ReaderReport, 'lastWallMs' | 'lastMonotonicMs' | 'bootId' | 'lastErrors'> {
    let lastWallMs = endOfHeader(
      this.#window.toString('latin1', 0, this.#base === 0 ? Math.min(this.#length, 512) : 0),
    );
    let lastMonotonicMs: number | null = null;
    const errors = new Map<string, LogRecord[]>();
    const tail = this.#tail(extent);
    const bootId = bootOf(tail);
    for (const { wallMs, monotonicMs, bootId: own, error } of tail) {
      if (own !== null && own !== bootId) break;
      if (wallMs !== null && (lastWallMs === null || wallMs > lastWallMs)) lastWallMs = wallMs;
      if (monotonicMs !== null && (lastMonotonicMs === null || monotonicMs > lastMonotonicMs))
        lastMonotonicMs = monotonicMs;
      if (error !== null) keepError(errors, error);
    }
    const kept = [...errors.values()].flat();
    this.#keepAround(kept);
    return { lastWallMs, lastMonotonicMs, bootId, lastErrors: kept };
  }

  /** Newest first; for times alone only as far as one is dated. */
  #tail(extent: Extent): TailEntry[] {
    const floor = Math.max(0, this.#length - ENTRY_REACH_BYTES);
    const most = extent === 'times' ? DATED_WITHIN_LINES : TAIL_LINES_MAX;
    const tail: TailEntry[] = [];
    for (let at = this.#length; tail.length < most && at > floor && isOneBoot(tail);) {
      const entry = this.#tailEntry(at - 1);
      at = entry.start;
      tail.push(this.#endOf(entry));
      if (extent === 'times' && tail.at(-1)!.wallMs !== null) break;
    }
    return tail;
  }

  #endOf(entry: Pick<Entry, 'line' | 'start' | 'end' | 'raw'>): TailEntry {
    const { line } = entry;
    if (line.text === '') return { wallMs: null, monotonicMs: null, bootId: null, error: null };
    const isOwn = this.#isOwn(line);
    const record = this.#record(entry);
    // What this tool said proves nothing, but that time went on.
    return { ...record.time, bootId: line.bootId, error: !isOwn && isError(record.level) ? record : null };
  }

  #tailEntry(at: number): Pick<Entry, 'line' | 'start' | 'end' | 'raw'> {
    if (this.#info.exported) return this.#entryAt(at);
    const { start, end } = lineBounds(this.#window, this.#length, at);
    const text = this.#window.toString('utf8', start, end);
    const line = newLineState(text);
    unwrapOuter(line, this.#tools.clock);
    return { start, end, line, raw: line.fromJournal ? line.text : text };
  }
}

function keepError(errors: Map<string, LogRecord[]>, record: LogRecord): void {
  const known = errors.get(record.stream) ?? [];
  if (known.length < ERRORS_PER_STREAM) errors.set(record.stream, [record, ...known]);
}

function bootOf(tail: readonly TailEntry[]): string | null {
  return tail.find(({ bootId }) => bootId !== null)?.bootId ?? null;
}

function isOneBoot(tail: readonly TailEntry[]): boolean {
  const last = tail.at(-1)?.bootId ?? null;
  return last === null || last === bootOf(tail);
}

function isError(level: Level | null): boolean {
  return level === 'error' || level === 'fatal';
}

/** Lines of a verdict, by their first word or by who wrote them. */
function isVerdict(line: LineState): boolean {
  return (
    line.text.startsWith(`${OWN_OUTPUT}:`) ||
    line.text.startsWith(OWN_JSON) ||
    line.identifier === OWN_OUTPUT ||
    line.trustedUnit === `${OWN_OUTPUT}.service`
  );
}

/** Verdicts, and what systemd says about the unit of this tool. */
function isOwn(line: LineState): boolean {
  return isVerdict(line) || line.unit === `${OWN_OUTPUT}.service`;
}

/** The unit that a line of systemd speaks about. */
function unitOf(line: LineState): string | null {
  const named = /^(?<unit>[\w.@\\:-]+\.(?:service|mount|scope|socket|target|timer|slice|device)):? /.exec(line.text)
    ?.groups?.['unit'];
  return named ?? (line.unit === 'init.scope' ? null : line.unit);
}

/** journalctl's header tells when the capture was taken. */
function endOfHeader(text: string): number | null {
  const end =
    /^-- (?:Logs|Journal) begins? at .{10,60}, ends? at \w{3} (?<date>20\d\d-\d\d-\d\d) (?<time>\d\d:\d\d:\d\d) UTC/.exec(
      text,
    );
  return end === null ? null : Date.parse(`${end.groups!['date']}T${end.groups!['time']}Z`);
}
