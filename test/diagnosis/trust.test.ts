import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assess, diagnose } from '../../src/diagnosis/diagnose.ts';
import type { Provenance } from '../../src/types.ts';
import {
  answer,
  CAPTURE,
  cause,
  matched,
  milestone,
  MILESTONES,
  pack,
  requirement,
  seen,
  signature,
  START_MS,
  use,
} from './builders.ts';

const LIVE = { ...CAPTURE, nowMs: START_MS + 600_000, uptimeSeconds: 600 };
const failing = pack([cause('a')]);
const FAULT = seen('a/s', [100]);

function statusWith(provenance: Provenance, isLive: boolean): string {
  const found = matched(600, [FAULT, seen('node-ready', [200], {}, { provenance })]);
  return diagnose(failing, found, [], isLive ? LIVE : CAPTURE).status;
}

test('on a live node only proven records call it Ready and end a finding; in a capture all whose speaker is known', () => {
  assert.deepEqual(
    (['proven', 'named', 'pasted', 'unproven'] as const).map((provenance) => [
      statusWith(provenance, true),
      statusWith(provenance, false),
    ]),
    [
      ['ready', 'ready'],
      ['failed', 'ready'],
      ['failed', 'ready'],
      ['failed', 'failed'],
    ],
  );
});

test('a signature that ends a finding must be as well known', () => {
  const healed = pack([cause('a', { recoveredBy: ['b/s'] }), cause('b', { kind: 'symptom' })]);
  const isOver = (provenance: Provenance): boolean =>
    diagnose(healed, matched(600, [FAULT, seen('b/s', [200], {}, { provenance })]), [], LIVE).recovered.length > 0;
  assert.deepEqual([isOver('proven'), isOver('named')], [true, false]);
});

test('one record does not make a node Ready for sure, two do, and the API server does', () => {
  const sure = (keys: readonly string[], code?: string): boolean =>
    assess(
      pack([]),
      matched(
        600,
        keys.map((key) => seen(key, [200])),
      ),
      code === undefined ? [] : [answer('node-registered', code)],
      LIVE,
    ).isReadyForSure;
  assert.equal(sure(['node-ready']), false);
  assert.equal(sure(['node-registered', 'node-ready']), true);
  assert.equal(sure(['node-ready'], 'ok'), true);
});

test('one record is one witness, also where two files hold it', () => {
  const signatures = [signature('a', 's', { requires: [requirement('signature', 'b/s')] })];
  const both = pack([cause('a', { signatures }), cause('b', { kind: 'symptom' })]);
  const verdictOf = (source: string, second: number): string | null =>
    diagnose(
      both,
      matched(600, [FAULT, seen('b/s', [second], {}, { origin: { source, offset: second, cursor: null } })]),
      [],
      CAPTURE,
    ).cause?.id ?? null;
  assert.equal(verdictOf('messages', 100), null);
  assert.equal(verdictOf('kubelet.log', 100), null);
  assert.equal(verdictOf('messages', 101), 'a');
});

test('a placeholder of a template is no fact', () => {
  const clusters = [
    'CLUSTER_NAME',
    '<cluster>',
    '${CLUSTER}',
    '<my-cluster>',
    'your-cluster-name',
    'MY_CLUSTER',
    'shop',
  ].map(
    (cluster) =>
      diagnose(
        pack([], { milestones: [...MILESTONES, milestone('named', null, 'fact')] }),
        matched(600, [seen('named', [5], { cluster })]),
        [],
        CAPTURE,
      ).node.cluster,
  );
  assert.deepEqual(clusters, [null, null, null, null, null, null, 'shop']);
});

test('a probe proves nothing against a component that speaks in a later step', () => {
  const milestones = MILESTONES.map((one) =>
    ['kubelet-started', 'node-registered'].includes(one.id)
      ? { ...one, pattern: { ...one.pattern, streams: ['kubelet'] } }
      : one,
  );
  const tried = { ...milestone('registration-attempted', 'registration', 'started') };
  const attempted = { ...tried, pattern: { ...tried.pattern, streams: ['kubelet'] } };
  const own = pack(
    [cause('config', { phase: 'kubelet-start', signatures: [], probes: [use('files', 'missing', 'proves')] })],
    {
      milestones: [...milestones, attempted],
    },
  );
  const named = (...keys: readonly string[]): string | null =>
    diagnose(
      own,
      matched(
        600,
        keys.map((key) => seen(key, [5])),
      ),
      [answer('files', 'missing')],
      LIVE,
    ).cause?.id ?? null;
  assert.equal(named('bootstrap-started'), 'config');
  assert.equal(named('bootstrap-started', 'registration-attempted'), null);
});

test('an answer that rests on a moment is at most medium', () => {
  const own = pack([cause('a', { signatures: [], probes: [use('imds', 'silent', 'proves')] })]);
  const sure = (facts: Record<string, boolean>) =>
    diagnose(own, matched(600, [seen('bootstrap-started', [5])]), [answer('imds', 'silent', facts)], LIVE).cause
      ?.confidence;
  assert.deepEqual([sure({}), sure({ brief: true })], ['high', 'medium']);
});
