// No probe makes a finding of a boot that goes well: not when all answers are good, not on a Ready node whatever it answers,
// and not at any moment of a healthy boot, in which much is not there yet.
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { PROBES } from '../../src/probes/index.ts';
import type { MatchResult, ProbeResult } from '../../src/types.ts';
import { answerFor, resultOf } from './answers.ts';
import { captures } from './capture-folders.ts';
import { said } from './expectation.ts';
import { judge, matchesOf, readPack } from './verdict-of.ts';

const pack = readPack();
const proofs = pack.causes.flatMap(({ probes }) => probes.filter(({ as }) => as === 'proves'));
const good = PROBES.map(({ name }) => resultOf(`${name}/ok`));
/** All that could prove anything, at once. */
const bad = proofs.map(answerFor);
const notOfTheApi = bad.filter(({ probe }) => probe !== 'node-registered');
/** What the node may be told at any time: that it will be taken away. */
const later = new Set(proofs.filter(({ when }) => when === 'always').map(({ probe }) => probe));

for (const capture of captures('healthy')) {
  const name = basename(dirname(capture));

  test(`healthy ${name}: silent with good answers, and Ready whatever else is answered`, async () => {
    const result = await matchesOf(pack, capture);
    for (const probes of [good, notOfTheApi, [...notOfTheApi, resultOf('node-registered/ok')]]) {
      const verdict = judge(pack, result, probes);
      assert.ok(
        verdict.status === 'ready' && verdict.cause === null && verdict.otherCauses.length === 0,
        said(verdict),
      );
    }
  });

  test(`healthy ${name}: at no moment before is anything proven`, async () => {
    const result = await matchesOf(pack, capture);
    const moments = [...result.matches.values()].flatMap(({ first }) => first.time.wallMs ?? []).sort((a, b) => a - b);
    const answers = bad.filter(({ probe }) => !later.has(probe));
    const proven = moments.flatMap((atMs) => provenAt(result, atMs - 1, answers));
    assert.deepEqual([...new Set(proven)], []);
  });
}

/** Only what had been said for the first time by then. */
function provenAt(result: MatchResult, atMs: number, answers: readonly ProbeResult[]): string[] {
  const matches = new Map(
    [...result.matches].filter(([, { first }]) => first.time.wallMs !== null && first.time.wallMs <= atMs),
  );
  const sources = result.sources.map((source) => ({ ...source, lastWallMs: atMs, lastMonotonicMs: null }));
  const verdict = judge(pack, { ...result, matches, sources }, answers);
  return verdict.probes
    .filter(({ bearing }) => bearing === 'proves')
    .map(({ probe, code }) => `${new Date(atMs).toISOString()} ${probe}/${code}: ${said(verdict)}`);
}
