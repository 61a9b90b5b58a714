// A boot that goes well, watched while it happens: at no moment is anything said at once, neither on its lines alone nor on
// what a node in order answers.
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { assess } from '../../src/diagnosis/diagnose.ts';
import { PROBES } from '../../src/probes/index.ts';
import { REPEATS_MS } from '../../src/reporting/when-to-report.ts';
import type { MatchResult, ProbeResult } from '../../src/types.ts';
import { resultOf } from './answers.ts';
import { asOf } from './as-of.ts';
import { captures } from './capture-folders.ts';
import { said } from './expectation.ts';
import { matchesOf, readPack } from './verdict-of.ts';

const pack = readPack();
/** The API server does not know the node yet. */
const good = PROBES.filter(({ name }) => name !== 'node-registered').map(({ name }) => resultOf(`${name}/ok`));
const STEP_MS = 1_000;
const DEADLINE_MS = 720_000;

for (const capture of captures('healthy'))
  test(`healthy ${basename(dirname(capture))}: no alarm at any moment`, async () => {
    const result = await matchesOf(pack, capture);
    const times = [...result.matches.values()]
      .flatMap(({ first, last }) => [first, last])
      .flatMap(({ time }) => time.wallMs ?? []);
    const beginMs = Math.min(...times);
    const endMs = Math.min(Math.max(...times), beginMs + DEADLINE_MS);
    const alarms: string[] = [];
    for (let atMs = beginMs; atMs < endMs; atMs += STEP_MS) alarms.push(...alarmsAt(result, atMs, beginMs));
    assert.deepEqual([...new Set(alarms)], []);
  });

function alarmsAt(result: MatchResult, atMs: number, beginMs: number): string[] {
  const bootWallMs = result.bootWallMs ?? beginMs;
  const match = { ...asOf(result, atMs), bootWallMs };
  const context = {
    nowMs: atMs,
    uptimeSeconds: Math.round((atMs - bootWallMs) / 1_000),
    version: '0.0.0',
    sequence: 0,
    final: false,
  };
  const judged = (probes: readonly ProbeResult[]) => assess(pack, match, probes, context);
  const [alone, asked] = [judged([]), judged(good)];
  return [
    ...(alone.isUrgent && !alone.needsAnswers ? [said(alone.verdict)] : []),
    ...(asked.isUrgent || asked.repeatsMs >= REPEATS_MS ? [said(asked.verdict)] : []),
  ];
}
