// Plays one scenario on a node that carries the analyzer as an image does, with the shipped unit as it is.
import assert from 'node:assert/strict';
import { bootNode } from './node.ts';
import type { Scenario } from './scenario.ts';
import { ANALYZER, ANALYZER_BIND, ANALYZER_UNIT } from './shapes/analyzer.ts';
import { until } from './until.ts';
import { summary, verdictLike, verdictsOf } from './verdicts.ts';

/** A final verdict may wait for its delivery. */
const END_LIMIT_MS = 30_000;
/** Shown where it went wrong. */
const JOURNAL_LINES = 60;

/** @throws AssertionError or Error with what was said instead. */
export async function runScenario({
  node: options,
  during,
  expected,
  withinSeconds,
  also,
  never = [],
}: Scenario): Promise<void> {
  const startMs = performance.now();
  await using node = await bootNode({
    ...options,
    units: { ...options.units, ...ANALYZER_UNIT },
    binds: { ...options.binds, ...ANALYZER_BIND },
    wait: 'manager',
  });
  try {
    await during?.(node);
    const verdict = await verdictLike(node, expected, withinSeconds * 1000 - (performance.now() - startMs));
    if (verdict.final && node.isUp()) await endsWell();
    await also?.(verdict, node);
    const said = verdictsOf(node);
    const wrong = said.filter(({ cause }) => cause !== null && never.includes(cause.id));
    assert.deepEqual(wrong.map(summary), []);
  } catch (error) {
    const entries = await node.journal(['-b', '-u', ANALYZER, '-n', String(JOURNAL_LINES)]);
    (error as Error).message +=
      `\n${entries.map((entry) => `${monotonicSeconds(entry)} ${entry['SYSLOG_IDENTIFIER']}: ${entry['MESSAGE']}`).join('\n')}`;
    throw error;
  }

  async function endsWell(): Promise<void> {
    await until(
      'the end of the analyzer',
      END_LIMIT_MS,
      async () => (await node.shell(`systemctl is-active ${ANALYZER}`, { codes: null })) === 'inactive',
    );
    assert.equal(await node.shell(`systemctl show --value -p Result ${ANALYZER}`), 'success');
  }
}

function monotonicSeconds(entry: Readonly<Record<string, string>>): string {
  return (Number(entry['__MONOTONIC_TIMESTAMP']) / 1e6).toFixed(3);
}
