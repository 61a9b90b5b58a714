// How soon a cause is told: for every line of the pack that proves one by itself, from the first such line to the verdict, by the loop
// of a live run on a clock that the test moves. A question to the node takes as long as questions may.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fact, recordBar } from '../../build/bars.ts';
import { ROOT } from '../../build/project.ts';
import { reportUntilOver } from '../../src/commands/live/report-loop.ts';
import { assess, type Assessment } from '../../src/diagnosis/diagnose.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import type { Cause } from '../../src/types.ts';
import { createMatcher } from '../../src/matching/matcher.ts';
import { CLOCK } from '../patterns/read-lines.ts';
import { readShortCases, type ShortCase } from '../patterns/short-cases.ts';
import { openFile, tellStory } from '../patterns/story.ts';
import { subjectsOf } from '../patterns/subjects.ts';

const sources = loadFolder(join(ROOT, 'patterns'));
const pack = compilePack(sources);
const subjects = new Map(subjectsOf(sources, pack).map((subject) => [subject.pattern.key, subject]));

/** A unit that is started again and again says it so often. */
const EVERY_SECONDS = 5;
const LASTS_SECONDS = 120;
const QUESTIONS_MS = 8_000;
const BOOT_BEFORE_MS = 30_000;
const DECISIVE_LIMIT_SECONDS = 20;
const REPEATING_LIMIT_SECONDS = 75;

interface Told {
  readonly what: string;
  readonly isRepeating: boolean;
  /** Null: not while the lines came. */
  readonly seconds: number | null;
}

/** The lines that prove a cause alone (of a decisive one its first), but for what leaves a node Ready and for what only a cluster's controller says. */
const cases = readShortCases(new Set(pack.causes.filter(({ kind }) => kind === 'symptom').map(({ id }) => id)))
  .filter(({ name }) => / alone: (?:high|medium)$/.test(name))
  .flatMap((one) => {
    const key = one.name.split(' ')[0]!.replace('+', '');
    const { cause, signature } = subjects.get(key)?.owner ?? {};
    const isMeant =
      cause?.kind === 'cause' && signature!.decisive && cause.severity !== 'degraded' && cause.phase !== 'karpenter';
    return isMeant && one.expect.cause === cause.id ? [{ one, cause, isRepeating: isTransient(cause) }] : [];
  })
  .filter(
    ({ cause, isRepeating }, at, all) => isRepeating || all.findIndex((other) => other.cause.id === cause.id) === at,
  );

function isTransient({ severity, persistsMs }: Cause): boolean {
  return severity === 'transient' || persistsMs > 0;
}

/** Seconds from the first entry of the case's last line to the verdict that names the cause. */
async function tell(one: ShortCase, id: string): Promise<number | null> {
  const last = one.lines.at(-1)!;
  const times = Math.ceil(LASTS_SECONDS / EVERY_SECONDS);
  const entries = tellStory(pack, subjects, [
    ...one.lines.slice(0, -1),
    { ...last, times, every: `${EVERY_SECONDS}s` },
  ]);
  const firstMs = entries.at(-times)!.atMs;
  const bootMs = entries[0]!.atMs - BOOT_BEFORE_MS;
  const matcher = createMatcher(pack, CLOCK);
  const readers = new Map([...new Set(entries.map(({ file }) => file))].map((file) => [file, openFile(matcher, file)]));
  let nowMs = bootMs;
  let toldMs: number | null = null;
  let answer: { readonly atMs: number; readonly resolve: () => void } | null = null;
  const over = new AbortController();
  const moveTo = (atMs: number): void => {
    nowMs = atMs;
    while ((entries[0]?.atMs ?? Infinity) <= nowMs) {
      const { file, text } = entries.shift()!;
      readers.get(file)!.push(Buffer.from(text));
      readers.get(file)!.settle(true);
    }
    if (answer !== null && answer.atMs <= nowMs) {
      answer.resolve();
      answer = null;
    }
    if (entries.length === 0) over.abort();
  };
  await reportUntilOver<Assessment>({
    clock: { wallMs: () => nowMs, monotonicMs: () => nowMs - bootMs },
    alarm: {
      ring: () => undefined,
      ringNow: () => undefined,
      async next(atMostMs, atLeastMs) {
        const wakes = [entries[0]?.atMs ?? Infinity, answer?.atMs ?? Infinity];
        moveTo(Math.max(nowMs + atLeastMs, Math.min(nowMs + atMostMs, ...wakes)));
        await new Promise(setImmediate);
      },
    },
    deadlineMs: Infinity,
    signal: over.signal,
    said: null,
    judge: () =>
      assess(pack, { ...matcher.result(), bootWallMs: bootMs }, [], {
        nowMs,
        uptimeSeconds: Math.round((nowMs - bootMs) / 1_000),
        version: '0.0.0',
        sequence: 0,
        final: false,
      }),
    makeSure: async () => undefined,
    isMachineEnding: async () => false,
    ask: () => new Promise((resolve) => (answer = { atMs: nowMs + QUESTIONS_MS, resolve })),
    async report({ verdict }) {
      if (verdict.cause?.id !== id || over.signal.aborted) return;
      toldMs = nowMs;
      over.abort();
    },
  });
  return toldMs === null ? null : (toldMs - firstMs) / 1_000;
}

test('every cause is told soon after the first line that proves it', async () => {
  const told: Told[] = [];
  for (const { one, cause, isRepeating } of cases) {
    told.push({ what: one.name, isRepeating, seconds: await tell(one, cause.id) });
  }
  const never = told.filter(({ seconds }) => seconds === null).map(({ what }) => what);
  for (const { kind, limit, of } of [
    { kind: 'decisive', limit: DECISIVE_LIMIT_SECONDS, of: told.filter(({ isRepeating }) => !isRepeating) },
    { kind: 'repeating', limit: REPEATING_LIMIT_SECONDS, of: told.filter(({ isRepeating }) => isRepeating) },
  ]) {
    const sorted = of.map(({ seconds }) => seconds ?? Infinity).toSorted((a, b) => a - b);
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]!;
    const bar = `first ${kind} line → verdict, p99 of ${of.length} lines (scripted clock)`;
    recordBar(fact(bar, `≤ ${limit} s`, `${p99.toFixed(1)} s`, p99 <= limit));
    assert.ok(
      p99 <= limit,
      of
        .filter(({ seconds }) => (seconds ?? Infinity) > limit)
        .map(({ what, seconds }) => `${what}: ${seconds}`)
        .join('\n'),
    );
  }
  assert.deepEqual(never, []);
  const ids = new Set(cases.map(({ cause }) => cause.id));
  const wanted = pack.causes.filter(({ kind, severity }) => kind === 'cause' && severity !== 'degraded');
  console.log(
    `${ids.size} of ${wanted.length} causes that keep a node from Ready; not by a line alone: ${wanted.flatMap(({ id }) => (ids.has(id) ? [] : [id])).join(', ')}`,
  );
  assert.ok(ids.size >= 70);
});
