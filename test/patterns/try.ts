// `npm run try -- GROUP/ID` judges one pack file: schema, samples, alternatives, literals, carriers, collisions,
// speed of its expressions. For authors at work: faults of other files are named and left out.
import { existsSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { checkReplaced } from '../../src/commands/patterns/check-replaced.ts';
import { checkSamples } from '../../src/commands/patterns/check-samples.ts';
import {
  checkSpeed,
  expressionsOfBase,
  expressionsOfCauses,
  type WrittenExpression,
} from '../../src/commands/patterns/check-speed.ts';
import { patternsOf } from '../../src/matching/matcher.ts';
import type { PackSources } from '../../src/signatures/compile.ts';
import { faultsOf } from '../../src/signatures/faults.ts';
import { PackError } from '../../src/signatures/read-yaml.ts';
import type { Pack, Pattern } from '../../src/types.ts';
import { checkCarriers } from './carrier-check.ts';
import { checkCollisions } from './collision-check.ts';
import { type Draft, readDraft } from './draft-pack.ts';
import { checkLiterals } from './literal-check.ts';
import { checkAlternatives } from './sample-checks.ts';
import { type Subject, subjectsOf } from './subjects.ts';

const FOLDER = join(ROOT, 'patterns');

function fileOf(argument: string): string {
  const path = existsSync(argument)
    ? resolve(argument)
    : join(FOLDER, argument.endsWith('.yaml') ? argument : `${argument}.yaml`);
  return relative(FOLDER, path);
}

/** Those of the file's signatures or milestones, and of its stalls' processes. */
function patternsOfFile(pack: Pack, file: string, subjects: readonly Subject[]): Pattern[] {
  const keys = new Set(subjects.map(({ pattern }) => pattern.key));
  return patternsOf(pack).filter(({ key }) => keys.has(key) || key.startsWith(`${basename(file, '.yaml')}/`));
}

type Check = (draft: Draft, subjects: readonly Subject[], patterns: readonly Pattern[], file: string) => string[];

const CHECKS: readonly { readonly title: string; readonly check: Check }[] = [
  { title: 'samples', check: ({ pack }, subjects) => checkSamples(pack, subjects) },
  {
    title: 'alternatives have samples',
    check: ({ pack }, subjects) => subjects.flatMap((subject) => checkAlternatives(pack, subject)),
  },
  {
    title: 'literals',
    check: ({ pack }, _subjects, patterns) => checkLiterals(pack, (pattern) => patterns.includes(pattern)),
  },
  { title: 'carriers', check: ({ pack }, subjects) => checkCarriers(pack, subjects) },
  {
    title: 'no undeclared collisions',
    check: ({ pack }, subjects) => subjects.flatMap((subject) => checkCollisions(pack, subject)),
  },
  { title: 'speed', check: ({ sources }, _subjects, _patterns, file) => checkSpeed(expressionsOfFile(sources, file)) },
  {
    title: 'nothing to replace',
    check: ({ sources }, _subjects, _patterns, file) => checkReplaced(causesOf(sources, file)),
  },
];

function causesOf({ causes }: PackSources, file: string): PackSources['causes'] {
  return causes.filter(({ source }) => source.file === file);
}

function expressionsOfFile(sources: PackSources, file: string): WrittenExpression[] {
  return [
    ...expressionsOfCauses(causesOf(sources, file)),
    ...expressionsOfBase(sources).filter(({ source }) => source.file === file),
  ];
}

function judge(file: string): number {
  let draft: Draft;
  try {
    draft = readDraft(FOLDER, file);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    const faults = faultsOf(error).filter((fault) => fault.file === error.file);
    for (const { message } of faults) console.log(`FAILED  ${message}`);
    return faults.length;
  }
  for (const note of draft.notes) console.log(`note    ${note}`);
  const all = subjectsOf(draft.sources, draft.pack);
  const subjects = all.filter((subject) => subject.file === file);
  const patterns = patternsOfFile(draft.pack, file, subjects);
  for (const { key, literals } of patterns) console.log(`        ${key}: literals ${JSON.stringify(literals)}`);
  let faults = 0;
  for (const { title, check } of CHECKS) {
    const complaints = check(draft, subjects, patterns, file);
    faults += complaints.length;
    if (complaints.length === 0) console.log(`ok      ${title}`);
    for (const line of complaints) console.log(`FAILED  ${title}: ${line}`);
  }
  const samples = subjects.reduce((sum, { samples }) => sum + samples.match.length + samples.reject.length, 0);
  console.log(
    `${faults === 0 ? 'ok' : `${faults} faults`}: ${basename(file)}, ${patterns.length} expressions, ${samples} samples`,
  );
  return faults;
}

const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  console.error('usage: npm run try -- GROUP/ID…');
  process.exitCode = 2;
}
for (const argument of wanted) if (judge(fileOf(argument)) > 0) process.exitCode = 1;
