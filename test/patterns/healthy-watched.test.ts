// A boot that goes well, watched while it happens: at no moment is anything said at once, neither on its lines alone nor on
// what a node in order answers.
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { assess } from '../../src/diagnosis/diagnose.ts';
import { PROBES } from '../../src/probes/index.ts';
import type { LogRecord, MatchResult, MatchSummary, ProbeResult } from '../../src/types.ts';
import { resultOf } from './answers.ts';
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
  const match = {
    ...result,
    bootWallMs,
    matches: new Map([...result.matches].flatMap(([key, summary]) => ofSoFar(key, summary, atMs))),
  };
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
    ...(asked.isUrgent ? [said(asked.verdict)] : []),
  ];
}

/** What was known by then, as far as the kept records tell. */
function ofSoFar(key: string, summary: MatchSummary, atMs: number): [string, MatchSummary][] {
  const wallMs = ({ time }: LogRecord): number => time.wallMs ?? Infinity;
  const all = [summary.first, ...summary.firstRecords, ...summary.lastRecords, summary.last];
  const records = [...new Set(all)]
    .filter((record) => wallMs(record) <= atMs)
    .toSorted((a, b) => wallMs(a) - wallMs(b));
  if (records.length === 0) return [];
  const count = wallMs(summary.last) <= atMs ? summary.count : records.length;
  const kept = {
    first: records[0]!,
    last: records.at(-1)!,
    firstRecords: records.slice(0, 3),
    lastRecords: records.slice(-3),
  };
  return [[key, { ...summary, ...kept, count, times: summary.times.filter((ms) => ms <= atMs) }]];
}
