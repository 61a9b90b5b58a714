// Turns samples of the pack into a small boot: the lines follow one another on one clock, each as the journal carries it, or
// as a file of its stream where no journal does. Nothing here judges.
import { unwrapOuter } from '../../src/matching/formats/index.ts';
import { newLineState } from '../../src/matching/line-state.ts';
import { createMatcher, type Matcher } from '../../src/matching/matcher.ts';
import type { SourceReader } from '../../src/matching/source-reader.ts';
import { durationMs } from '../../src/signatures/duration.ts';
import type { Level, MatchResult, Pack } from '../../src/types.ts';
import { identityOf } from './identities.ts';
import { CLOCK } from './read-lines.ts';
import { matchSample } from './sample-checks.ts';
import type { Subject } from './subjects.ts';

export interface StoryLine {
  /** `cause/signature` or a milestone: its first sample, or the one after `#` (from 0). */
  readonly line?: string | undefined;
  /** A line of one's own, with the stream that says it. */
  readonly text?: string | undefined;
  readonly stream?: string | undefined;
  readonly times?: number | undefined;
  readonly every?: string | undefined;
  /** Time since the line before. */
  readonly after?: string | undefined;
}

/** Far enough apart not to count as simultaneous. */
const STEP = '10s';
const START_MS = Date.UTC(2025, 4, 30, 12);
const HOST = 'ip-10-77-3-18.us-west-2.compute.internal';
/** A stamp that a program puts before its own text; a stamp inside the text is what it speaks about. */
const OWN_STAMP =
  /^(?<head>.{0,60}?)\d{4}-\d\d-\d\d(?<gap>[T ])\d\d:\d\d:\d\d(?:(?<point>[.,])\d{1,9})?(?<zone>Z|[+-]\d\d:?\d\d)?/;
const EPOCH = /^(?<head>\{.{0,40}"ts":)\d{10}(?:\.\d{1,9})?/;
const PRIORITY_OF: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 };

interface Said {
  readonly stream: string;
  readonly text: string;
  readonly unit: string | null;
  readonly level: Level | null;
}

/** A case names what the pack does not have (any more). */
export class UnknownLineError extends Error {}

/** @throws UnknownLineError for a line that the pack has no sample of, or none that matches. */
export function readStory(
  pack: Pack,
  subjects: ReadonlyMap<string, Subject>,
  lines: readonly StoryLine[],
): MatchResult {
  const told = tellStory(pack, subjects, lines);
  const matcher = createMatcher(pack, CLOCK);
  for (const [file, entries] of Map.groupBy(told, ({ file }) => file)) {
    const reader = openFile(matcher, file);
    reader.push(Buffer.from(entries.map(({ text }) => text).join('')));
    matcher.close(reader);
  }
  return matcher.result();
}

export interface Entry {
  readonly file: string;
  readonly text: string;
  readonly atMs: number;
}

/** In the order of their times. @throws UnknownLineError as `readStory` does */
export function tellStory(pack: Pack, subjects: ReadonlyMap<string, Subject>, lines: readonly StoryLine[]): Entry[] {
  const told: Entry[] = [];
  let atMs = START_MS;
  for (const line of lines) {
    const said = sayingOf(pack, subjects, line);
    atMs += durationMs(line.after ?? STEP);
    for (let time = 0; time < (line.times ?? 1); time++) {
      if (time > 0) atMs += durationMs(line.every ?? STEP);
      told.push({ ...carried(pack, said, atMs), atMs });
    }
  }
  return told;
}

export function openFile(matcher: Matcher, file: string): SourceReader {
  return matcher.open({ name: file, stream: file === JOURNAL ? null : file, exported: false });
}

function sayingOf(pack: Pack, subjects: ReadonlyMap<string, Subject>, { line, text, stream }: StoryLine): Said {
  if (text !== undefined) return { stream: stream ?? 'systemd', text, unit: null, level: null };
  const [key, number] = line!.split('#');
  const subject = subjects.get(key!);
  const sample = subject?.samples.match[Number(number ?? 0)];
  const summary = sample === undefined ? undefined : matchSample(pack, subject!, Number(number ?? 0));
  if (summary === undefined) throw new UnknownLineError(`the pack has no sample ${line}`);
  const { stream: said, unit, level } = summary.first;
  return { stream: said, unit, level, text: sample!.line.split('\n').map(withoutOuter).join('\n') };
}

const JOURNAL = 'journal.json';

function carried(pack: Pack, said: Said, atMs: number): { readonly file: string; readonly text: string } {
  const iso = new Date(atMs).toISOString();
  const text = said.text
    .split('\n')
    .map((line) => restamped(line, iso))
    .join('\n');
  const identity = identityOf(pack.streamTable, said.stream);
  if (identity === null)
    return {
      file: said.stream,
      text: text
        .split('\n')
        .map((line) => `${iso} stdout F ${line}\n`)
        .join(''),
    };
  const fields = {
    __CURSOR: `s=1;i=${atMs}`,
    __REALTIME_TIMESTAMP: String(atMs * 1000),
    _TRANSPORT: said.stream === 'kernel' ? 'kernel' : 'stdout',
    ...(said.level === null ? {} : { PRIORITY: String(PRIORITY_OF[said.level]) }),
    SYSLOG_IDENTIFIER: identity.identifier,
    ...(identity.pid === null ? {} : { _PID: identity.pid }),
    ...unitOf(said, identity.unit),
    _HOSTNAME: HOST,
    MESSAGE: text,
  };
  return { file: JOURNAL, text: `${JSON.stringify(fields)}\n` };
}

/** The stamp in the form that the program gave it, in UTC. */
function restamped(line: string, iso: string): string {
  const epoch = (Date.parse(iso) / 1000).toFixed(3);
  return line.replace(EPOCH, `$<head>${epoch}`).replace(OWN_STAMP, (...found) => {
    const { head, gap, point, zone } = found.at(-1) as { head: string; gap: string; point?: string; zone?: string };
    const fraction = point === undefined ? '' : `${point}${iso.slice(20, 23)}`;
    return `${head}${iso.slice(0, 10)}${gap}${iso.slice(11, 19)}${fraction}${zone?.replace(/^[+-]/, '+').replaceAll(/\d/g, '0') ?? ''}`;
  });
}

/** systemd speaks about a unit; everyone else is one. */
function unitOf({ stream, unit }: Said, usual: string | null): Record<string, string> {
  if (stream === 'systemd')
    return { ...(usual === null ? {} : { _SYSTEMD_UNIT: usual }), ...(unit === null ? {} : { UNIT: unit }) };
  const own = unit ?? usual;
  return own === null ? {} : { _SYSTEMD_UNIT: own };
}

function withoutOuter(line: string): string {
  const state = newLineState(line);
  unwrapOuter(state, CLOCK);
  return state.text;
}
