// No line can stall the analyzer: every expression of the pack and of streams.yaml is linear, or quick on its worst line.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { patternsOf } from '../../src/matching/matcher.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { inParallel } from '../score/in-parallel.ts';
import { checkSpeed, type Expression, expressionsOf } from './speed-check.ts';

const pack = compilePack(loadFolder(join(ROOT, 'patterns')));
/** Identifiers and units are cut by the carriers; a line's own text may be as long as the reach round a hit. */
const NAME_MAX_CHARS = 64;
const LINE_MAX_CHARS = 128 * 1024;
/** recheck works on as many as it is given, and gives each the same time. */
const AT_ONCE = 2;

function named(name: string, expressions: readonly Expression[]): { readonly name: string; readonly expression: Expression }[] {
  return expressions.map((expression) => ({ name, expression }));
}

const all = [
  ...patternsOf(pack).flatMap((pattern) => named(pattern.key, expressionsOf(pattern))),
  ...pack.streamTable.streams.flatMap((stream) => [
    ...named(
      `streams.yaml ${stream.name}`,
      [...stream.units, ...stream.identifiers].map((regex) => ({ regex: `^(?:${regex})$`, flags: '', maxChars: NAME_MAX_CHARS })),
    ),
    ...named(
      `streams.yaml ${stream.name}`,
      stream.content.map((regex) => ({ regex, flags: '', maxChars: LINE_MAX_CHARS })),
    ),
  ]),
];

test('no expression can be driven into super-linear time', async (t) => {
  const count = { linear: 0, bounded: 0, slow: 0 };
  const slow: string[] = [];
  await inParallel(all, AT_ONCE, async ({ name, expression }) => {
    const { kind, what } = await checkSpeed(expression);
    count[kind]++;
    if (kind === 'slow') slow.push(`${name}: ${what}: ${expression.regex}`);
  });
  t.diagnostic(`${all.length} expressions: ${count.linear} linear, ${count.bounded} bounded by measurement, ${count.slow} too slow`);
  assert.ok(slow.length === 0, slow.join('\n'));
});
