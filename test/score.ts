// `npm run score -- DIR… [--shuffle] [--json]`: judges the built analyzer on folders of labelled captures and records the
// bars of each. With --shuffle every invented value is replaced first, and the verdicts must stay the same.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bar, fact, recordBar } from '../build/bars.ts';
import { readBuiltInPack } from '../src/signatures/built-in-pack.ts';
import { type Analyzer, analyze, findAnalyzer } from './score/analyzer.ts';
import type { Pack } from '../src/types.ts';
import { barsOf } from './score/folder-bars.ts';
import { inParallel } from './score/in-parallel.ts';
import { type Mark, markFailure, markVerdict } from './score/mark.ts';
import { type PracticeCase, readCases } from './score/practice-case.ts';
import { reportOf } from './score/report.ts';
import { withShuffledCopy } from './score/shuffled-copy.ts';

const AT_ONCE = 2;

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    shuffle: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
if (folders.length === 0) {
  console.error('usage: npm run score -- DIR… [--shuffle [--seed N]] [--json]');
  process.exitCode = 2;
} else {
  const analyzer = findAnalyzer();
  if (analyzer.note !== null) console.error(`score: ${analyzer.note}`);
  const markCase = marker(analyzer, readBuiltInPack());
  for (const folder of folders)
    if (!existsSync(folder)) console.log(`score: there are no practice captures at ${folder}; nothing to judge`);
    else if (values.shuffle) await compareShuffled(readCases(folder), markCase, Number(values.seed));
    else await score(basename(resolve(folder)), readCases(folder), markCase);
}

type Marker = (given: PracticeCase, path: string) => Promise<Mark>;

function marker(analyzer: Analyzer, pack: Pack): Marker {
  return async (given, path) => {
    try {
      return markVerdict(pack, given, await analyze(analyzer, path, given.how));
    } catch (error) {
      return markFailure(given, (error as Error).message);
    }
  };
}

async function score(folder: string, cases: readonly PracticeCase[], markCase: Marker): Promise<void> {
  const marks = await inParallel(cases, AT_ONCE, async (given) => markCase(given, given.logs));
  console.log(values.json ? JSON.stringify(marks, null, 2) : `${folder}\n${reportOf(marks)}`);
  if (!values.json) for (const bar of barsOf(folder, marks)) judgeBar(bar);
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
      console.log(
        `${plain.case.id}: ${verdictOf(plain)} became ${verdictOf(shuffled)}\n    ${shuffled.firstEvidence ?? ''}`,
      );
  judgeBar(
    fact(
      'score: verdicts that change with invented values',
      'none',
      changed.map(({ plain }) => plain.case.id).join(' ') || 'none',
    ),
  );
}

function verdictOf({ status, said, confidence }: Mark): string {
  return `${status}: ${said}${confidence === null ? '' : ` (${confidence})`}`;
}
