// Whole captured nodes: test/scenarios/*/capture gives the verdict of its expected.json; test/healthy/*/capture is ready,
// with nothing to complain about, and is not ready once nothing says so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { answersBeside } from './answers.ts';
import { captures } from './capture-folders.ts';
import { type Expectation, faultsOf, said } from './expectation.ts';
import { faultsOfHealthy } from './healthy.ts';
import { judge, matchesOf, readPack } from './verdict-of.ts';

const pack = readPack();

function nameOf(capture: string): string {
  return basename(dirname(capture));
}

for (const capture of captures('scenarios'))
  test(`scenario ${nameOf(capture)}`, async () => {
    const expected = JSON.parse(readFileSync(join(dirname(capture), 'expected.json'), 'utf8')) as Expectation;
    const verdict = judge(pack, await matchesOf(pack, capture), answersBeside(capture));
    const faults = faultsOf(verdict, expected);
    assert.ok(faults.length === 0, `${faults.join('; ')}\n${said(verdict)}`);
  });

for (const capture of captures('healthy'))
  test(`healthy ${nameOf(capture)}`, async () => {
    const faults = faultsOfHealthy(pack, await matchesOf(pack, capture));
    assert.ok(faults.length === 0, faults.join('\n'));
  });

test('every milestone of a good boot stands in a healthy one', async () => {
  const seen = new Set<string>();
  for (const capture of captures('healthy')) {
    const { matches, earlierMatches } = await matchesOf(pack, capture);
    for (const key of [...matches.keys(), ...earlierMatches.keys()]) seen.add(key);
  }
  // The separator between boots is retired by the kernel's banner behind it.
  const wanted = pack.milestones.filter(({ id, kind }) => kind !== 'failed' && id !== 'boot-separator');
  assert.deepEqual(
    wanted.filter(({ id }) => !seen.has(id)).map(({ id }) => id),
    [],
  );
});
