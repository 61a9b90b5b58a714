// Words what the node answered to the probes: in the proof what bears on the cause, below it the rest, trouble first.
import type { Bearing, ProbeOutcome, RedactedVerdict, VerdictProbe } from '../types.ts';
import { fillSentence } from './fill-sentence.ts';
import { type Item, plain, type Section, type Tone } from './section.ts';
import { clip, duration } from './wording.ts';

/** What each code of each probe means, by probe: a sentence in which `{name}` stands for a fact. */
export type AnswerTables = ReadonlyMap<string, Readonly<Record<string, { readonly sentence: string }>>>;

/** Codes that any probe may end with. */
export const COMMON_ANSWERS: Readonly<Record<string, string>> = {
  'time-limit': 'There was no answer within the time limit.',
  broken: 'The question itself failed.',
  'mount-stuck': 'The mount that holds {path} does not answer.',
  unreadable: '{path} cannot be read.',
};

/** Does a bad answer only follow from the cause of the verdict? */
export type Follows = (probe: VerdictProbe) => boolean;

const SENTENCE_MAX_CHARS = 400;
const NAMES_MAX_CHARS = 300;
/** More good answers than this stand on one line. */
const OK_LINES_MAX = 3;

const BEARINGS = {
  proves: { words: 'proves it', tone: 'plain' },
  confirms: { words: 'confirms it', tone: 'plain' },
  refutes: { words: 'contradicts it', tone: 'doubtful' },
  ends: { words: 'shows that it is over', tone: 'doubtful' },
} satisfies Record<Bearing, { readonly words: string; readonly tone: Tone }>;

/** Answers that bear on the cause: what proves and confirms it first, then what speaks against it. */
export function bearingItems(verdict: RedactedVerdict, tables: AnswerTables): Item[] {
  const order = Object.keys(BEARINGS) as Bearing[];
  return order.flatMap((bearing) =>
    verdict.probes
      .filter((probe) => probe.bearing === bearing)
      .map((probe): Item => {
        const { words, tone } = BEARINGS[bearing];
        return [
          plain(`  asked the node  ${clip(probe.probe, NAMES_MAX_CHARS)}  ${words}`, 'faint'),
          plain(`    ${wordAnswer(probe, tables)}`, tone),
        ];
      }),
  );
}

export function probes(verdict: RedactedVerdict, tables: AnswerTables, follows: Follows): Section {
  const rest = verdict.probes.filter((probe) => probe.bearing === null);
  const by = (outcome: ProbeOutcome): VerdictProbe[] => rest.filter((probe) => probe.outcome === outcome);
  const [following, failed] = [by('fail').filter(follows), by('fail').filter((probe) => !follows(probe))];
  const items = [
    ...failed.map((probe) => lineOf('fail', 'bad', `${probe.probe}: ${wordAnswer(probe, tables)}`)),
    ...(following.length === 0
      ? []
      : [
          lineOf(
            'fail',
            'faint',
            `${clip(following.map(({ probe }) => probe).join(', '), NAMES_MAX_CHARS)}: follows from the cause`,
          ),
        ]),
    ...by('timeout').map((probe) =>
      lineOf('timeout', 'doubtful', `${probe.probe}: ${wordAnswer(probe, tables)} (${duration(probe.elapsedMs)})`),
    ),
    ...together('skipped', 'doubtful', by('skipped'), tables),
    ...good(by('ok'), tables),
  ];
  return { title: 'Asked the node', items, keep: 4, cutFrom: 'end', rank: 40, folds: true };
}

/** A good answer that is not plainly `ok` has something to say. */
function good(results: readonly VerdictProbe[], tables: AnswerTables): Item[] {
  const telling = results.filter(({ code }) => code !== 'ok');
  const plainly = results.filter(({ code }) => code === 'ok');
  if (plainly.length <= OK_LINES_MAX)
    return results.map((probe) => lineOf('ok', 'good', `${probe.probe}: ${wordAnswer(probe, tables)}`));
  const names = clip([...new Set(plainly.map(({ probe }) => probe))].join(', '), NAMES_MAX_CHARS);
  return [
    ...telling.map((probe) => lineOf('ok', 'good', `${probe.probe}: ${wordAnswer(probe, tables)}`)),
    lineOf('ok', 'good', names),
  ];
}

/** One line for all that say the same. */
function together(mark: string, tone: Tone, results: readonly VerdictProbe[], tables: AnswerTables): Item[] {
  const bySentence = Map.groupBy(results, (probe) => wordAnswer(probe, tables));
  return [...bySentence].map(([sentence, same]) =>
    lineOf(mark, tone, `${clip(same.map(({ probe }) => probe).join(', '), NAMES_MAX_CHARS)}: ${sentence}`),
  );
}

function lineOf(mark: string, tone: Tone, text: string): Item {
  return [{ ...plain(`  ${mark.padEnd(8)}${text}`, tone), mark, hang: 10 }];
}

/** A code without a sentence is shown as it is. */
function wordAnswer({ probe, code, facts }: VerdictProbe, tables: AnswerTables): string {
  const sentence = tables.get(probe)?.[code]?.sentence ?? COMMON_ANSWERS[code] ?? code;
  return clip(fillSentence(sentence, facts), SENTENCE_MAX_CHARS);
}
