// A redaction never hides the cause: what the pack's samples prove is still to be seen when they are redacted.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ROOT } from '../../build/project.ts';
import { redactText } from '../../src/redaction/redact.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { packOf, readText } from '../patterns/read-lines.ts';
import { matchSample, streamOf } from '../patterns/sample-checks.ts';
import { subjectsOf } from '../patterns/subjects.ts';
import { CORPUS, leaksOf } from './corpus.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const subjects = subjectsOf(sources, pack);

/** Without the escapes, which are another matter than secrets. */
function withoutSecrets(text: string): string {
  return text.split('\n').map(redactLine).join('\n');
}

function redactLine(line: string): string {
  return redactText(line)
    .replaceAll(String.raw`\x1b`, '\x1b')
    .replaceAll(String.raw`\ufffd`, '\ufffd');
}

test('a sample that is redacted still matches its own signature, with the same captures', () => {
  const hidden = subjects.flatMap((subject) =>
    subject.samples.match.flatMap((sample, index) => {
      const shown = withoutSecrets(sample.line);
      if (shown === sample.line) return [];
      const before = matchSample(pack, subject, index)?.captures;
      const after = readText(packOf(pack, subject.pattern), shown, streamOf(subject, sample)).matches.get(
        subject.pattern.key,
      )?.captures;
      return isDeepStrictEqual(before, after) ? [] : [`${subject.pattern.key}: ${shown}`];
    }),
  );
  assert.deepEqual(hidden, []);
});

/** One for every way in which a secret is found, so that the test of all samples stays short. */
const NEIGHBOURS = CORPUS.filter(({ text, isAlone }) => !text.includes('\n') && isAlone !== true).filter(
  (_, index) => index % 5 === 0,
);

test('a secret beside what a sample says goes, and what it says stays', () => {
  const faults: string[] = [];
  for (const [number, subject] of subjects.entries()) {
    const planted = NEIGHBOURS[number % NEIGHBOURS.length]!;
    for (const { line } of subject.samples.match.slice(0, 1)) {
      const shown = redactText(`${line} ${planted.text}`);
      const alone = redactText(line);
      const same = commonStart(shown, alone);
      if (leaksOf(shown, planted.secrets).length > 0)
        faults.push(`${subject.pattern.key}: ${planted.name} is left in ${shown}`);
      // A redaction before may take a few characters of what follows it.
      if (same < alone.length && !alone.includes('[redacted:'))
        faults.push(`${subject.pattern.key}: hidden from ${same} of ${shown}`);
    }
  }
  assert.deepEqual(faults, []);
});

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < b.length && a[at] === b[at]) at++;
  return at;
}
