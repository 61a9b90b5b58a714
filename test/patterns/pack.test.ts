// Every file of patterns/ against the shipped matcher: nothing here knows a single cause.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { checkSamples } from '../../src/commands/patterns/check-samples.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { checkCarriers } from './carrier-check.ts';
import { checkCollisions } from './collision-check.ts';
import { checkLiterals } from './literal-check.ts';
import { checkAlternatives } from './sample-checks.ts';
import { type Subject, subjectsOf } from './subjects.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const subjects = subjectsOf(sources, pack);

function none(complaints: readonly string[]): void {
  assert.ok(complaints.length === 0, `${complaints.length} complaints\n${complaints.join('\n')}`);
}

function each(check: (subject: Subject) => string[]): () => void {
  return () => none(subjects.flatMap(check));
}

test('every match sample matches, with its captures, and no reject sample does', () =>
  none(checkSamples(pack, subjects)));
test(
  'every alternative of every expression is needed by a sample',
  each((subject) => checkAlternatives(pack, subject)),
);
test('every literal survives every carrier, is long enough and rare', () => none(checkLiterals(pack)));
test('every sample comes through every carrier with the same captures', () => none(checkCarriers(pack, subjects)));
test(
  'no line is claimed by two causes that do not know of each other',
  each((subject) => checkCollisions(pack, subject)),
);

/** The codes of probes and sinks are lists of their own, in which a word may stand that names a cause as well. */
const LISTS_OF_CODES = ['src/probes/**', 'src/sinks/**'];

test('no cause or symptom is named in src', () => {
  const ids = new Set(pack.causes.map(({ id }) => id));
  const named = globSync('src/**/*.ts', { cwd: ROOT, exclude: LISTS_OF_CODES }).flatMap((file) => {
    const quoted = readFileSync(join(ROOT, file), 'utf8').matchAll(
      /(?<quote>['"`])(?<text>[a-z0-9-]+)(?:\/[a-z0-9-]+)?\k<quote>/g,
    );
    return [...quoted]
      .filter(({ groups }) => ids.has(groups!['text']!))
      .map(({ groups }) => `${file}: ${groups!['text']}`);
  });
  none(named);
});
