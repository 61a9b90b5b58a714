// `npm run score -- DIR [--shuffle] [--json]`: judges the built analyzer on a folder of labelled captures and records the
// bars. With --shuffle every invented value is replaced first, and the verdicts must stay the same.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { atLeast, atMost, type Bar, fact, recordBar } from '../build/bars.ts';
import { readBuiltInPack } from '../src/signatures/built-in-pack.ts';
import { type Analyzer, analyze, findAnalyzer } from './score/analyzer.ts';
import type { Pack } from '../src/types.ts';
import { CORE_CAUSES } from './score/core-causes.ts';
import { inParallel } from './score/in-parallel.ts';
import { type Mark, markFailure, markVerdict } from './score/mark.ts';
import { isNone, type PracticeCase, readCases } from './score/practice-case.ts';
import { percent, reportOf } from './score/report.ts';
import { withShuffledCopy } from './score/shuffled-copy.ts';

const AT_ONCE = 2;
const CORE_PERCENT = 85;
const ALL_PERCENT = 97;
const HIGH_PERCENT = 80;
const HIGH_OR_MEDIUM_PERCENT = 97;
const WRONG_WITH_MEDIUM_PERCENT = 20;
const WRAPPERS_PERCENT = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { shuffle: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' }, json: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  console.error('usage: npm run score -- DIR [--shuffle [--seed N]] [--json]');
  process.exitCode = 2;
} else if (!existsSync(folder)) console.log(`score: there are no practice captures at ${folder}; nothing to judge`);
else {
  const analyzer = findAnalyzer();
  if (analyzer.note !== null) console.error(`score: ${analyzer.note}`);
  const markCase = marker(analyzer, readBuiltInPack());
  await (values.shuffle ? compareShuffled(readCases(folder), markCase, Number(values.seed)) : score(readCases(folder), markCase));
}

type Marker = (given: PracticeCase, path: string) => Promise<Mark>;

function marker(analyzer: Analyzer, pack: Pack): Marker {
  return async (given, path) => {
    try {
      return markVerdict(pack, given, await analyze(analyzer, path));
    } catch (error) {
      return markFailure(given, (error as Error).message);
    }
  };
}

async function score(cases: readonly PracticeCase[], markCase: Marker): Promise<void> {
  const marks = await inParallel(cases, AT_ONCE, async (given) => markCase(given, given.logs));
  console.log(values.json ? JSON.stringify(marks, null, 2) : reportOf(marks));
  if (!values.json) for (const bar of barsOf(marks)) judgeBar(bar);
}

function barsOf(marks: readonly Mark[]): Bar[] {
  const core = marks.filter((mark) => mark.case.truth.some((id) => CORE_CAUSES.has(id)));
  const alarms = marks.filter((mark) => isNone(mark.case) && !mark.right).map((mark) => mark.case.id);
  const right = core.filter((mark) => mark.right).length;
  const named = marks.filter(({ right: isRight, confidence }) => isRight && confidence !== null);
  const wrong = marks.filter((mark) => !mark.right);
  const sure = (of: readonly Mark[], ...levels: readonly Mark['confidence'][]): number => of.filter(({ confidence }) => levels.includes(confidence)).length;
  const wrapped = named.filter((mark) => mark.wrapped).length;
  return [
    atLeast({ bar: 'score: right on all cases', unit: '%', wanted: ALL_PERCENT, seen: percent(marks.length - wrong.length, marks.length) }),
    atLeast({ bar: 'score: right answers with high confidence', unit: '%', wanted: HIGH_PERCENT, seen: percent(sure(named, 'high'), named.length) }),
    atLeast({
      bar: 'score: right answers with high or medium',
      unit: '%',
      wanted: HIGH_OR_MEDIUM_PERCENT,
      seen: percent(sure(named, 'high', 'medium'), named.length),
    }),
    fact('score: wrong answers with high confidence', '0', String(sure(wrong, 'high'))),
    atMost({ bar: 'score: wrong answers with medium', unit: '%', wanted: WRONG_WITH_MEDIUM_PERCENT, seen: share(sure(wrong, 'medium'), wrong.length) }),
    atMost({ bar: 'score: first evidence is a wrapper', unit: '%', wanted: WRAPPERS_PERCENT, seen: share(wrapped, named.length) }),
    atLeast({ bar: `score: right on the ${core.length} cases of the first pack`, unit: '%', wanted: CORE_PERCENT, seen: percent(right, core.length) }),
    fact('score: none-cases with a cause', 'none', alarms.join(' ') || 'none'),
  ];
}

/** 0 where there is nothing to count. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : percent(part, whole);
}

/** A missed rate is no question of the machine: it fails at once. */
function judgeBar(bar: Bar): void {
  recordBar({ ...bar, failed: !bar.ok });
  if (!bar.ok) process.exitCode = 1;
}

async function compareShuffled(cases: readonly PracticeCase[], markCase: Marker, seed: number): Promise<void> {
  const pairs = await inParallel(cases, AT_ONCE, async (given) => {
    const plain = await markCase(given, given.logs);
    const shuffled = await withShuffledCopy(given.logs, seed, async (copy) => markCase(given, copy));
    return { plain, shuffled };
  });
  const changed = pairs.filter(({ plain, shuffled }) => verdictOf(plain) !== verdictOf(shuffled));
  if (values.json) console.log(JSON.stringify(changed, null, 2));
  else
    for (const { plain, shuffled } of changed)
      console.log(`${plain.case.id}: ${verdictOf(plain)} became ${verdictOf(shuffled)}\n    ${shuffled.firstEvidence ?? ''}`);
  judgeBar(fact('score: verdicts that change with invented values', 'none', changed.map(({ plain }) => plain.case.id).join(' ') || 'none'));
}

function verdictOf({ status, said, confidence }: Mark): string {
  return `${status}: ${said}${confidence === null ? '' : ` (${confidence})`}`;
}
