// Whole captured nodes: test/scenarios/*/capture gives the verdict of its expected.json; test/healthy/*/capture is ready,
// with nothing to complain about, and is not ready once nothing says so.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import type { Confidence, Pack, Status, Verdict } from '../../src/types.ts';
import { judge, matchesOf, readPack } from './verdict-of.ts';

/** `expected.json` of a scenario. */
interface Expected {
  readonly status: Status;
  /** Null: no cause may be named. */
  readonly cause: string | null;
  readonly confidence?: Confidence;
  /** Each stands in some line of the evidence. */
  readonly evidenceIncludes?: readonly string[];
  /** Ids that must be listed among the symptoms or the other causes. */
  readonly symptoms?: readonly string[];
}

const pack = readPack();

function captures(kind: 'scenarios' | 'healthy'): string[] {
  return globSync(`test/${kind}/*/capture`, { cwd: ROOT })
    .map((folder) => join(ROOT, folder))
    .sort();
}

function nameOf(capture: string): string {
  return basename(dirname(capture));
}

function said(verdict: Verdict): string {
  const { status, cause, otherCauses, evidence } = verdict;
  const lines = evidence.map(({ stream, signature, line }) => `  ${stream} ${signature}: ${line}`);
  return [
    `${status}, cause ${cause?.id ?? 'none'} (${cause?.confidence ?? '-'}), others ${otherCauses.map(({ id }) => id).join(' ') || 'none'}`,
    ...lines,
  ].join('\n');
}

for (const capture of captures('scenarios'))
  test(`scenario ${nameOf(capture)}`, async () => {
    const expected = JSON.parse(readFileSync(join(dirname(capture), 'expected.json'), 'utf8')) as Expected;
    const verdict = judge(pack, await matchesOf(pack, capture));
    const seen = said(verdict);
    assert.equal(verdict.cause?.id ?? null, expected.cause, seen);
    assert.equal(verdict.status, expected.status, seen);
    if (expected.confidence !== undefined) assert.equal(verdict.cause?.confidence, expected.confidence, seen);
    for (const text of expected.evidenceIncludes ?? [])
      assert.ok(
        verdict.evidence.some(({ line }) => line.includes(text)),
        `no evidence holds "${text}"\n${seen}`,
      );
    const listed = [...verdict.symptoms, ...verdict.otherCauses].map(({ id }) => id);
    for (const id of expected.symptoms ?? []) assert.ok(listed.includes(id), `${id} is not listed: ${listed.join(' ')}\n${seen}`);
  });

/** The pack as if no line said that the node is Ready. */
function withoutReady(full: Pack): Pack {
  return { ...full, milestones: full.milestones.filter(({ phase, kind }) => phase !== 'ready' || kind !== 'finished') };
}

for (const capture of captures('healthy'))
  test(`healthy ${nameOf(capture)}`, async () => {
    const result = await matchesOf(pack, capture);
    const verdict = judge(pack, result);
    assert.equal(verdict.cause, null, said(verdict));
    assert.deepEqual(verdict.otherCauses, [], said(verdict));
    assert.equal(verdict.status, 'ready', said(verdict));
    assert.notEqual(judge(withoutReady(pack), result).status, 'ready', 'ready without a line that says so');
  });
