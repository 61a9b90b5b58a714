// `node test/patterns/try.ts GROUP/ID` judges one pack file: schema, samples, alternatives, literals, carriers, collisions,
// speed of its expressions. For authors at work: faults of other files are named and left out.
import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { PackError } from '../../src/signatures/read-yaml.ts';
import { inParallel } from '../score/in-parallel.ts';
import { checkCarriers } from './carrier-check.ts';
import { checkCollisions } from './collision-check.ts';
import { complaint } from './complaint.ts';
import { type Draft, readDraft } from './draft-pack.ts';
import { checkLiterals } from './literal-check.ts';
import { checkAlternatives, checkMatchSamples, checkRejectSamples } from './sample-checks.ts';
import { checkSpeed, expressionsOf } from './speed-check.ts';
import { type Subject, subjectsOf } from './subjects.ts';

const FOLDER = join(ROOT, 'patterns');

function fileOf(argument: string): string {
  const path = existsSync(argument) ? resolve(argument) : join(FOLDER, argument.endsWith('.yaml') ? argument : `${argument}.yaml`);
  return relative(FOLDER, path);
}

const CHECKS: readonly { readonly title: string; readonly check: (draft: Draft, subjects: readonly Subject[]) => string[] }[] = [
  { title: 'samples match', check: ({ pack }, subjects) => subjects.flatMap((subject) => checkMatchSamples(pack, subject)) },
  { title: 'rejects do not', check: ({ pack }, subjects) => subjects.flatMap((subject) => checkRejectSamples(pack, subject)) },
  { title: 'alternatives have samples', check: ({ pack }, subjects) => subjects.flatMap((subject) => checkAlternatives(pack, subject)) },
  { title: 'literals', check: (_draft, subjects) => subjects.flatMap(checkLiterals) },
  { title: 'carriers', check: ({ pack }, subjects) => checkCarriers(pack, subjects) },
  { title: 'no undeclared collisions', check: ({ pack }, subjects) => subjects.flatMap((subject) => checkCollisions(pack, subject)) },
];

async function slowExpressions(subjects: readonly Subject[]): Promise<string[]> {
  const all = subjects.flatMap((subject) => expressionsOf(subject.pattern).map((expression) => ({ subject, expression })));
  const slow = await inParallel(all, 2, async ({ subject, expression }) => {
    const { kind, what } = await checkSpeed(expression);
    return kind === 'slow' ? [complaint(subject, ['regex'], `${what}: ${expression.regex}`)] : [];
  });
  return slow.flat();
}

async function judge(file: string): Promise<number> {
  let draft: Draft;
  try {
    draft = readDraft(FOLDER, file);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    console.log(`FAILED  ${error.message}`);
    return 1;
  }
  for (const note of draft.notes) console.log(`note    ${note}`);
  const all = subjectsOf(draft.sources, draft.pack);
  const subjects = all.filter((subject) => subject.file === file);
  for (const { pattern } of subjects) console.log(`        ${pattern.key}: literals ${JSON.stringify(pattern.literals)}`);
  let faults = 0;
  for (const { title, check } of CHECKS) {
    const complaints = check(draft, subjects);
    faults += complaints.length;
    if (complaints.length === 0) console.log(`ok      ${title}`);
    for (const line of complaints) console.log(`FAILED  ${title}: ${line}`);
  }
  for (const line of await slowExpressions(subjects)) {
    faults++;
    console.log(`FAILED  speed: ${line}`);
  }
  const samples = subjects.reduce((sum, { samples }) => sum + samples.match.length + samples.reject.length, 0);
  console.log(`${faults === 0 ? 'ok' : `${faults} faults`}: ${basename(file)}, ${subjects.length} expressions, ${samples} samples`);
  return faults;
}

const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  console.error('usage: node test/patterns/try.ts GROUP/ID…');
  process.exitCode = 2;
}
for (const argument of wanted) if ((await judge(fileOf(argument))) > 0) process.exitCode = 1;
