// Reads test/short-cases/*.yaml: tables of tiny boots made of the pack's own samples, with what the verdict must say.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { ROOT } from '../../build/project.ts';
import { readYaml } from '../../src/signatures/read-yaml.ts';
import type { Bearing, Confidence, ProbeResult } from '../../src/types.ts';
import { resultOf, type ToldAnswer } from './answers.ts';
import type { Expectation } from './expectation.ts';
import type { StoryLine } from './story.ts';

export interface ShortCase {
  readonly name: string;
  readonly lines: readonly StoryLine[];
  readonly probes: readonly ProbeResult[];
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
  bearing: v.optional(v.record(v.string(), v.nullable(v.picklist(['proves', 'confirms', 'refutes', 'ends'])))),
});
/** `probe/code`, with the facts that matter. */
const answer = v.union([
  key,
  v.strictObject({ answer: key, facts: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])) }),
]);
/** The answers prove a cause where the boot came to these lines and then nowhere for twenty minutes; the first is what proves it. */
const proof = v.strictObject({
  answers: v.pipe(v.array(answer), v.minLength(1)),
  after: v.optional(v.array(line), []),
  confidence: v.optional(confidence, 'high'),
  /** Without one of these lines or answers they prove nothing. */
  without: v.optional(v.array(key), []),
  /** Nor with one of these lines behind them, or answers beside them. */
  notWith: v.optional(v.array(answer), []),
  /** Nor with one of these instead of the first answer. */
  notAs: v.optional(v.array(answer), []),
  /** It needs no waiting. */
  soon: v.optional(v.boolean(), false),
});
const answerTable = v.optional(v.record(key, v.array(answer)), {});
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
  /** Answers that prove a cause without any line of its own. */
  proves: v.optional(v.record(v.string(), v.array(proof)), {}),
  /** Each of these answers makes it surer, less sure, or over. */
  confirms: answerTable,
  refutes: answerTable,
  over: answerTable,
  /** Each of these says nothing about it. */
  unheard: answerTable,
  stories: v.optional(
    v.array(
      v.strictObject({
        name: v.string(),
        lines: v.array(line),
        probes: v.optional(v.array(answer), []),
        expect: expectation,
      }),
    ),
    [],
  ),
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

function casesOf(
  file: ShortFile,
  symptoms: ReadonlySet<string>,
  open: (one: string | StoryLine) => StoryLine[],
): ShortCase[] {
  const make = (
    name: string,
    lines: readonly (string | StoryLine)[],
    expect: Expectation,
    answers: readonly (string | ToldAnswer)[] = [],
  ): ShortCase => ({
    name,
    lines: lines.flatMap(open),
    probes: answers.map(resultOf),
    expect,
  });
  const bears = (table: Readonly<Record<string, readonly (string | ToldAnswer)[]>>, as: Bearing | null): ShortCase[] =>
    Object.entries(table).flatMap(([told, answers]) =>
      answers.map((one) =>
        make(
          `${nameOf(one)} ${as ?? 'says nothing about'} ${told}`,
          [told],
          { cause: idOf(told), bearing: { [nameOf(one)]: as } },
          [one],
        ),
      ),
    );
  const each = (
    pairs: Readonly<Record<string, readonly string[]>>,
    one: (told: string, other: string) => ShortCase,
  ): ShortCase[] => Object.entries(pairs).flatMap(([told, others]) => others.map((other) => one(told, other)));
  return [
    ...each(file.alone, (sure, told) =>
      make(`${told} alone: ${sure}`, [told], alone(told, sure as Confidence, symptoms)),
    ),
    ...file.silentAlone.map((told) => make(`${told} alone: nothing`, [told], { absent: [idOf(told)] })),
    ...Object.entries(file.fewer).map(([told, often]) =>
      make(`${told} fewer than ${often} times: nothing`, [{ line: told, times: often - 1 }], { absent: [idOf(told)] }),
    ),
    ...each(file.notAfter, (told, other) =>
      make(`${told} after ${other}: nothing`, [other, told], { absent: [idOf(told)] }),
    ),
    ...each(file.notBefore, (told, other) =>
      make(`${told} before ${other}: nothing`, [told, other], { absent: [idOf(told)] }),
    ),
    ...each(file.endsWith, (told, end) =>
      make(
        `${told} is over with ${end}`,
        [told, end],
        symptoms.has(idOf(told)) ? { absent: [idOf(told)] } : { recovered: { [idOf(told)]: signatureOf(end) } },
      ),
    ),
    ...each(file.echoes, (told, echo) =>
      make(`${told} explains ${echo}`, [told, echo], { explained: { [idOf(echo)]: idOf(told) } }),
    ),
    ...each(file.earlierEchoes, (told, echo) =>
      make(`${told} explains ${echo} before it`, [echo, told], { explained: { [idOf(echo)]: idOf(told) } }),
    ),
    ...Object.entries(file.leaves).flatMap(([told, others]) =>
      others.map((other) =>
        make(`${told} leaves ${typeof other === 'string' ? other : other.text}`, [other], { unmatched: [told] }),
      ),
    ),
    ...Object.entries(file.proves).flatMap(([id, proofs]) => proofs.flatMap((one) => casesOfProof(id, one, make))),
    ...bears(file.confirms, 'confirms'),
    ...bears(file.refutes, 'refutes'),
    ...bears(file.unheard, null),
    ...Object.entries(file.over).flatMap(([told, answers]) =>
      answers.map((one) =>
        make(`${nameOf(one)} ends ${told}`, [told], { recovered: { [idOf(told)]: nameOf(one).split('/')[0]! } }, [one]),
      ),
    ),
    ...file.stories.map(({ name, lines, expect, probes }) => make(name, lines, expect, probes)),
  ];
}

type Make = (
  name: string,
  lines: readonly (string | StoryLine)[],
  expect: Expectation,
  answers: readonly (string | ToldAnswer)[],
) => ShortCase;

/** With the cases in which the same answers must prove nothing. */
function casesOfProof(
  id: string,
  { answers, confidence: sure, without, notWith, notAs, soon, ...given }: v.InferOutput<typeof proof>,
  make: Make,
): ShortCase[] {
  const after = ['kernel-started', ...given.after];
  const name = answers.map(nameOf).join(' and ');
  const first = nameOf(answers[0]!);
  const nothing: Expectation = { absent: [id] };
  const isAsked = first.startsWith('node-registered/');
  return [
    make(
      `${name} proves ${id}`,
      [...after, WAITED],
      { cause: id, status: 'failed', confidence: sure, bearing: { [first]: 'proves' } },
      answers,
    ),
    ...(soon
      ? [make(`${name} proves ${id} at once`, after, { cause: id }, answers)]
      : [make(`${name} while the boot goes on: no ${id}`, after, nothing, answers)]),
    ...(isAsked
      ? []
      : [
          make(
            `${name} on a Ready node: no ${id}`,
            [...after, 'node-ready', WAITED],
            { ...nothing, status: 'ready' },
            answers,
          ),
        ]),
    ...without.map((left) =>
      make(
        `${name} without ${left}: no ${id}`,
        [...after.filter((one) => one !== left), WAITED],
        nothing,
        answers.filter((one) => nameOf(one) !== left),
      ),
    ),
    ...notWith.map((more) =>
      typeof more === 'string'
        ? make(`${name} with ${more}: no ${id}`, [...after, more, WAITED], nothing, answers)
        : make(`${name} beside ${JSON.stringify(more)}: no ${id}`, [...after, WAITED], nothing, [...answers, more]),
    ),
    ...notAs.map((other) =>
      make(`${JSON.stringify(other)} instead of ${first}: no ${id}`, [...after, WAITED], nothing, [
        other,
        ...answers.slice(1),
      ]),
    ),
  ];
}

/** A line of nobody, long after. */
const WAITED: StoryLine = { text: 'Started Session 1 of User root.', after: '20m' };

function nameOf(told: string | ToldAnswer): string {
  return typeof told === 'string' ? told : told.answer;
}

function alone(told: string, sure: Confidence, symptoms: ReadonlySet<string>): Expectation {
  const id = idOf(told);
  return symptoms.has(id)
    ? { cause: null, symptoms: { [id]: sure } }
    : { cause: id, confidence: sure, evidence: [signatureOf(told)] };
}

/** `cause/signature#1` → `cause/signature` */
function signatureOf(told: string): string {
  return /^[^#+]+/.exec(told)![0];
}

/** `cause/signature` → `cause` */
function idOf(told: string): string {
  return told.split('/')[0]!;
}
