import assert from 'node:assert/strict';
import { test } from 'node:test';
import { probesFor } from '../../src/diagnosis/hypotheses.ts';
import type { Verdict } from '../../src/types.ts';
import { cause, pack, requirement, use } from './builders.ts';

const explains = (id: string) => ({ id, withinMs: null, onlyIfBefore: true });
const PACK = pack([
  cause('deep', { probes: [use('of-deep', 'bad', 'proves')], explains: [explains('between')] }),
  cause('between', { explains: [explains('shown')] }),
  cause('shown', {
    probes: [use('of-shown', 'bad', 'proves', { requires: [requirement('probe', 'required')] })],
    explains: [explains('echo')],
  }),
  cause('echo', { probes: [use('of-echo', 'bad', 'confirms')] }),
  cause('stranger', { probes: [use('of-stranger', 'bad', 'proves')] }),
]);

function asked(verdict: Pick<Verdict, 'status'>, id: string | null): string[] | null {
  const named = id === null ? null : ({ id } as Verdict['cause']);
  const probes = probesFor({ ...verdict, cause: named, otherCauses: [] }, PACK);
  return probes === null ? null : [...probes].sort();
}

test('of a cause its own probes, those that they need, and those of whatever explains it', () => {
  assert.deepEqual(asked({ status: 'failed' }, 'shown'), ['of-deep', 'of-shown', 'required']);
});

test('every probe where nothing is suspected, none on a Ready node', () => {
  assert.equal(asked({ status: 'stalled' }, null), null);
  assert.deepEqual(asked({ status: 'ready' }, null), []);
});
