// Reads test/short-cases/*.yaml: tables of tiny boots made of the pack's own samples, with what the verdict must say.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ROOT } from '../../build/project.ts';
import { readYaml } from '../../src/signatures/read-yaml.ts';
import type { Confidence } from '../../src/types.ts';
import type { Expectation } from './expectation.ts';
import type { StoryLine } from './story.ts';

export interface ShortCase {
  readonly name: string;
  readonly lines: readonly StoryLine[];
  readonly expect: Expectation;
}

/** `cause/signature` or a milestone for its first sample, `#1` behind for its second. */
const key = v.string();
const confidence = v.picklist(['high', 'medium', 'low']);
const line = v.union([
  key,
  v.strictObject({
    line: v.optional(key),
    text: v.optional(v.string()),
    stream: v.optional(v.string()),
    times: v.optional(v.number()),
    every: v.optional(v.string()),
    after: v.optional(v.string()),
  }),
]);
const expectation = v.strictObject({
  status: v.optional(v.picklist(['ready', 'bootstrapping', 'stalled', 'failed', 'unknown'])),
  cause: v.optional(v.nullable(v.string())),
  confidence: v.optional(confidence),
  firstEvidence: v.optional(key),
  evidence: v.optional(v.array(key)),
  explained: v.optional(v.record(v.string(), v.nullable(v.string()))),
  absent: v.optional(v.array(v.string())),
  recovered: v.optional(v.record(v.string(), v.string())),
  symptoms: v.optional(v.record(v.string(), confidence)),
});
const table = v.optional(v.record(key, v.array(key)), {});
/** A line told without a pattern's name is a sample of none. */
const vetoed = v.union([key, v.strictObject({ text: v.string(), stream: v.string() })]);
const schema = v.strictObject({
  /** What takes several lines; the name is that of its signature with a + behind. */
  scenes: v.optional(v.record(v.pipe(v.string(), v.endsWith('+')), v.array(line)), {}),
  /** A line alone gives the verdict, this sure; of a symptom no verdict, but it is listed. */
  alone: v.optional(v.record(confidence, v.array(key)), {}),
  /** Alone it is nothing. */
  silentAlone: v.optional(v.array(key), []),
  /** Said less often than this it is nothing. */
  fewer: v.optional(v.record(key, v.number()), {}),
  /** It is nothing after, or before, each of these. */
  notAfter: table,
  notBefore: table,
  /** It is over with each of these. */
  endsWith: table,
  /** Each of these is explained by it. */
  echoes: table,
  /** And so is each of these, though it came first. */
  earlierEchoes: table,
  /** Its signature leaves each of these lines to another. */
  leaves: v.optional(v.record(key, v.array(vetoed)), {}),
  stories: v.optional(v.array(v.strictObject({ name: v.string(), lines: v.array(line), expect: expectation })), []),
});
type ShortFile = v.InferOutput<typeof schema>;

export function readShortCases(symptoms: ReadonlySet<string>): ShortCase[] {
  const files = globSync('test/short-cases/*.yaml', { cwd: ROOT })
    .sort()
    .map((file) => readYaml(file, readFileSync(join(ROOT, file), 'utf8'), schema).data);
  const scenes = new Map(files.flatMap((file) => Object.entries(file.scenes)));
  const open = (one: string | StoryLine): StoryLine[] => {
    if (typeof one !== 'string') return [one];
    return scenes.get(one)?.flatMap(open) ?? [{ line: one }];
  };
  return files.flatMap((file) => casesOf(file, symptoms, open));
}

function casesOf(file: ShortFile, symptoms: ReadonlySet<string>, open: (one: string | StoryLine) => StoryLine[]): ShortCase[] {
  const make = (name: string, lines: readonly (string | StoryLine)[], expect: Expectation): ShortCase => ({ name, lines: lines.flatMap(open), expect });
  const each = (pairs: Readonly<Record<string, readonly string[]>>, one: (told: string, other: string) => ShortCase): ShortCase[] =>
    Object.entries(pairs).flatMap(([told, others]) => others.map((other) => one(told, other)));
  return [
    ...each(file.alone, (sure, told) => make(`${told} alone: ${sure}`, [told], alone(told, sure as Confidence, symptoms))),
    ...file.silentAlone.map((told) => make(`${told} alone: nothing`, [told], { absent: [idOf(told)] })),
    ...Object.entries(file.fewer).map(([told, often]) =>
      make(`${told} fewer than ${often} times: nothing`, [{ line: told, times: often - 1 }], { absent: [idOf(told)] }),
    ),
    ...each(file.notAfter, (told, other) => make(`${told} after ${other}: nothing`, [other, told], { absent: [idOf(told)] })),
    ...each(file.notBefore, (told, other) => make(`${told} before ${other}: nothing`, [told, other], { absent: [idOf(told)] })),
    ...each(file.endsWith, (told, end) =>
      make(`${told} is over with ${end}`, [told, end], symptoms.has(idOf(told)) ? { absent: [idOf(told)] } : { recovered: { [idOf(told)]: signatureOf(end) } }),
    ),
    ...each(file.echoes, (told, echo) => make(`${told} explains ${echo}`, [told, echo], { explained: { [idOf(echo)]: idOf(told) } })),
    ...each(file.earlierEchoes, (told, echo) => make(`${told} explains ${echo} before it`, [echo, told], { explained: { [idOf(echo)]: idOf(told) } })),
    ...Object.entries(file.leaves).flatMap(([told, others]) =>
      others.map((other) => make(`${told} leaves ${typeof other === 'string' ? other : other.text}`, [other], { unmatched: [told] })),
    ),
    ...file.stories.map(({ name, lines, expect }) => make(name, lines, expect)),
  ];
}

function alone(told: string, sure: Confidence, symptoms: ReadonlySet<string>): Expectation {
  const id = idOf(told);
  return symptoms.has(id) ? { cause: null, symptoms: { [id]: sure } } : { cause: id, confidence: sure, evidence: [signatureOf(told)] };
}

/** `cause/signature#1` → `cause/signature` */
function signatureOf(told: string): string {
  return /^[^#+]+/.exec(told)![0];
}

/** `cause/signature` → `cause` */
function idOf(told: string): string {
  return told.split('/')[0]!;
}
