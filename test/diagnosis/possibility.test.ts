import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import type { Signature } from '../../src/types.ts';
import { answer, CAPTURE, cause, matched, pack, requirement, seen, signature, START_MS } from './builders.ts';

const OFTEN = { occurrences: { atLeast: 3, withinMs: null, lastingMs: 90_000 } };
const check = [{ text: 'Ask it.', command: 'ask {path}', where: 'node' as const, when: {} }];
const PASTE = { bootWallMs: null };

function asked(over: Partial<Signature> = OFTEN) {
  return pack([cause('a', { signatures: [signature('a', 's', over)], check })]);
}

const oneLine = (over: object = {}, at: number | null = 0) =>
  matched(0, [seen('a/s', [at], { path: '/x' })], { ...PASTE, ...over });

describe('a pasted line', () => {
  test('names what is possible, how sure, and what would confirm it', () => {
    const { cause: named, status } = diagnose(asked(), oneLine(), [], CAPTURE);
    assert.deepEqual([status, named?.id, named?.possible, named?.confidence], ['failed', 'a', true, 'medium']);
    assert.deepEqual(named?.check, [{ text: 'Ask it.', command: 'ask /x', where: 'node' }]);
    assert.equal(diagnose(asked({ ...OFTEN, wording: 'common' }), oneLine(), [], CAPTURE).cause?.confidence, 'low');
  });

  test('is no more than possible only where it had to come more often', () => {
    assert.equal(diagnose(asked({}), oneLine(), [], CAPTURE).cause?.possible, false);
  });

  test('proves nothing where its words may be anybody’s, or where it only hints', () => {
    const nobody = seen('a/s', [0], {}, { stream: 'unknown' });
    assert.equal(
      diagnose(asked({ ...OFTEN, wording: 'common' }), matched(0, [nobody], PASTE), [], CAPTURE).cause,
      null,
    );
    assert.equal(diagnose(asked({ ...OFTEN, decisive: false }), oneLine(), [], CAPTURE).cause, null);
  });

  test('without the line that must stand beside it proves nothing, without an answer of the node it may', () => {
    const missing = (kind: 'milestone' | 'probe') => asked({ requires: [requirement(kind, 'x')] });
    assert.equal(diagnose(missing('milestone'), oneLine(), [], CAPTURE).cause, null);
    assert.equal(diagnose(missing('probe'), oneLine(), [], CAPTURE).cause?.confidence, 'low');
  });
});

describe('nothing is possible', () => {
  const causeOf = (
    found: ReturnType<typeof oneLine>,
    context: Parameters<typeof diagnose>[3] = CAPTURE,
    probes: Parameters<typeof diagnose>[2] = [],
  ) => diagnose(asked(), found, probes, context).cause?.id ?? null;

  test('on a live node, in a capture of a boot, and where the node was asked', () => {
    assert.equal(causeOf(oneLine(), { ...CAPTURE, nowMs: START_MS }), null);
    assert.equal(causeOf(oneLine({ bootWallMs: START_MS })), null);
    assert.equal(causeOf(oneLine(), CAPTURE, [answer('p', 'ok')]), null);
  });

  test('where the lines go on long enough to show that it does not', () => {
    assert.equal(causeOf(matched(10, [seen('a/s', [0])], PASTE)), null);
    assert.equal(causeOf(matched(0, [seen('a/s', [0])], PASTE)), 'a');
  });

  test('beside a cause that is proven, on a Ready node, or once it is over', () => {
    const both = pack([cause('a', { signatures: [signature('a', 's', OFTEN)] }), cause('proven')]);
    const found = diagnose(both, matched(0, [seen('a/s', [0]), seen('proven/s', [0])], PASTE), [], CAPTURE);
    assert.deepEqual([found.cause?.id, found.otherCauses.length], ['proven', 0]);
    assert.equal(causeOf(matched(1, [seen('a/s', [0]), seen('node-ready', [1])], PASTE)), null);
    assert.equal(causeOf(matched(1, [seen('a/s', [0]), seen('node-registered', [1])], PASTE)), null);
  });
});
