// What a boot counts, verdict by verdict: each thing once, whoever says it and however often.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginIn, countIn, NOTHING_SAID, type Speaker } from '../../src/reporting/said-in-boot.ts';
import type { SaidInBoot, Status, Verdict, VerdictCause } from '../../src/types.ts';
import { FAILED } from '../render/verdicts.ts';

const NEW: SaidInBoot = { ...NOTHING_SAID, bootId: 'b'.repeat(32) };
const WATCH: Speaker = { follows: true, isReboot: false };
const DIAGNOSE: Speaker = { follows: false, isReboot: false };

type Change = Partial<Pick<Verdict, 'final'> & Pick<VerdictCause, 'confidence' | 'possible'>>;
type Said = readonly [Speaker, Status, (string | null)?, Change?];

/** What each verdict counts, as words. */
function play(
  verdicts: readonly Said[],
  before: SaidInBoot = NEW,
): { readonly story: string[]; readonly said: SaidInBoot } {
  let said = before;
  const story = verdicts.map(([speaker, status, id = null, { final = false, ...change } = NO_CHANGE]) => {
    const cause = id === null ? null : { ...FAILED.cause!, id, ...change };
    const counted = countIn(said, { status, final, cause, uptimeSeconds: 30 }, speaker);
    said = counted.said;
    const { counts } = counted;
    if (counts === null) return 'no bootstrap';
    const words = (['started', 'seen', 'ended', 'recovered'] as const).filter((word) => counts[word]);
    return [...words, counts.seen || counts.recovered ? counts.cause : null].filter(Boolean).join(' ');
  });
  return { story, said };
}

const NO_CHANGE: Change = {};
const LAST = { final: true } as const;

test('a cause is seen once, by whoever says it first', () => {
  const { story, said } = play([
    [WATCH, 'bootstrapping'],
    [DIAGNOSE, 'failed', 'swap-enabled'],
    [WATCH, 'failed', 'swap-enabled'],
    [DIAGNOSE, 'failed', 'disk-full'],
    [WATCH, 'stalled', 'disk-full', LAST],
  ]);
  assert.deepEqual(story, ['started', 'seen swap-enabled', '', 'seen disk-full', 'ended']);
  assert.deepEqual([said.sequence, said.step, said.lastWord], [5, 5, 'stalled']);
});

test('what is not proven is not seen', () => {
  const guesses: readonly Said[] = [
    [WATCH, 'failed', 'swap-enabled', { confidence: 'low' }],
    [WATCH, 'failed', 'swap-enabled', { possible: true }],
    [WATCH, 'bootstrapping', 'swap-enabled'],
    [WATCH, 'unknown'],
  ];
  assert.deepEqual(play(guesses, beginIn(NEW)).story, ['', '', '', '']);
});

test('a node that is Ready after a cause was told has recovered, once; a second last word ends nothing', () => {
  const { story } = play([
    [WATCH, 'failed', 'swap-enabled'],
    [WATCH, 'failed', 'swap-enabled', LAST],
    [WATCH, 'ready', null, LAST],
    [WATCH, 'ready', null, LAST],
  ]);
  assert.deepEqual(story, ['started seen swap-enabled', 'ended', 'recovered swap-enabled', '']);
  assert.deepEqual(play([[WATCH, 'ready', null, LAST]]).story, ['started ended']);
});

test('a boot begins once, and never by a look at it', () => {
  assert.deepEqual(
    play([
      [DIAGNOSE, 'bootstrapping'],
      [WATCH, 'bootstrapping'],
      [WATCH, 'ready', null, LAST],
    ]).story,
    ['', 'started', 'ended'],
  );
  const begun = beginIn(NEW);
  assert.deepEqual([begun.step, begun.sequence, play([[WATCH, 'bootstrapping']], begun).story], [1, 0, ['']]);
});

test('a reboot of a node that was Ready counts nothing, and its words are remembered all the same', () => {
  const { story, said } = play([
    [{ ...WATCH, isReboot: true }, 'failed', 'swap-enabled'],
    [{ ...WATCH, isReboot: true }, 'ready', null, LAST],
  ]);
  assert.deepEqual(story, ['no bootstrap', 'no bootstrap']);
  assert.deepEqual([said.tally, said.lastWord, said.answer?.causes], [NEW.tally, 'ready', ['swap-enabled']]);
});

test('what diagnose says keeps none of the words of the run that follows back', () => {
  assert.equal(play([[DIAGNOSE, 'failed', 'swap-enabled']]).said.answer, null);
  const { said } = play([
    [WATCH, 'failed', 'swap-enabled'],
    [DIAGNOSE, 'ready'],
  ]);
  assert.deepEqual(said.answer, { atMs: 30_000, text: 'failed swap-enabled high', causes: ['swap-enabled'] });
});
