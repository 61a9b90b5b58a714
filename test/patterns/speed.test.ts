// No line can stall the analyzer: every expression of the pack and of streams.yaml is linear, or quick on its worst line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParallel } from '../score/in-parallel.ts';
import { allExpressions } from './all-expressions.ts';
import { checkSpeed } from './speed-check.ts';

/** recheck works on as many as it is given, and gives each the same time. */
const AT_ONCE = 2;

test('no expression can be driven into super-linear time', async (t) => {
  const all = allExpressions();
  const count = { linear: 0, guessed: 0, bounded: 0, slow: 0 };
  const slow: string[] = [];
  await inParallel(all, AT_ONCE, async ({ name, expression }) => {
    const { kind, what } = await checkSpeed(expression);
    count[kind]++;
    if (kind === 'slow') slow.push(`${name}: ${what}: ${expression.regex}`);
  });
  const { linear, guessed, bounded } = count;
  t.diagnostic(
    `${all.length} expressions: ${linear} proven linear, ${guessed} linear as far as recheck tried, ${bounded} bounded by measurement, ${slow.length} too slow`,
  );
  assert.ok(slow.length === 0, slow.join('\n'));
});
