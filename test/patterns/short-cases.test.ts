// The tables of test/short-cases: a line alone, a line and its echo, a line and what ends it, small stories.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { faultsOf, said } from './expectation.ts';
import { readShortCases, type ShortCase } from './short-cases.ts';
import { readStory, UnknownLineError } from './story.ts';
import { subjectsOf } from './subjects.ts';
import { judge } from './verdict-of.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const subjects = new Map(subjectsOf(sources, pack).map((subject) => [subject.pattern.key, subject]));
const symptoms = new Set(pack.causes.filter(({ kind }) => kind === 'symptom').map(({ id }) => id));

function complaintOf({ lines, probes, expect }: ShortCase): string | null {
  try {
    const result = readStory(pack, subjects, lines);
    const verdict = judge(pack, result, probes);
    const matched = (expect.unmatched ?? []).filter((key) => result.matches.has(key));
    const faults = [...faultsOf(verdict, expect), ...matched.map((key) => `${key} matches`)];
    return faults.length === 0 ? null : `${faults.join('; ')}\n${said(verdict)}`;
  } catch (error) {
    if (error instanceof UnknownLineError) return error.message;
    throw error;
  }
}

test('short cases', () => {
  const wrong = readShortCases(symptoms).flatMap((one) => {
    const complaint = complaintOf(one);
    return complaint === null ? [] : [`${one.name}: ${complaint}`];
  });
  assert.ok(wrong.length === 0, `${wrong.length} cases\n${wrong.join('\n')}`);
});
