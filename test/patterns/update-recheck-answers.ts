// `node test/patterns/update-recheck-answers.ts` asks recheck about every expression of the pack that it was not asked about
// yet, and rewrites recheck-answers.ndjson. Without it the test of speed finds the same answers, only later.
import { writeFileSync } from 'node:fs';
import { inParallel } from '../score/in-parallel.ts';
import { allExpressions } from './all-expressions.ts';
import { ANSWERS_FILE, recheckAnswer } from './recheck-answers.ts';
import { relaxed } from './relaxed.ts';

const answers = await inParallel(allExpressions(), 2, async ({ expression: { regex, flags } }) => recheckAnswer(relaxed(regex), flags));
const lines = new Map(answers.filter((answer) => answer !== null).map((answer) => [answer.key, JSON.stringify(answer)]));
writeFileSync(
  ANSWERS_FILE,
  [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => `${line}\n`)
    .join(''),
);
console.log(`${lines.size} answers for ${answers.length} expressions, ${answers.filter((answer) => answer === null).length} without one`);
