// The decisions of the diagnosis: what counts, what is over, what explains what, and what is honest to say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assess, diagnose, restate } from '../../src/diagnosis/diagnose.ts';
import type { Cause, Explanation, ProbeResult, Requirement } from '../../src/types.ts';
import type { DiagnosisContext } from '../../src/diagnosis/diagnose.ts';
import type { Provenance } from '../../src/types.ts';
import {
  answer,
  CAPTURE,
  cause,
  matched,
  pack,
  record,
  requirement,
  seen,
  signature,
  START_MS,
  use,
} from './builders.ts';

const explains = (id: string, over: Partial<Explanation> = {}): Explanation => ({
  id,
  withinMs: null,
  onlyIfBefore: true,
  ...over,
});

function causeOf(...args: Parameters<typeof diagnose>): string | null {
  return diagnose(...args).cause?.id ?? null;
}

describe('root cause', () => {
  test('a decisive line is the cause, with high confidence', () => {
    const verdict = diagnose(pack([cause('a')]), matched(60, [seen('a/s', [10])]), [], CAPTURE);
    assert.equal(verdict.status, 'failed');
    assert.equal(verdict.cause?.id, 'a');
    assert.equal(verdict.cause?.confidence, 'high');
    assert.equal(verdict.evidence[0]?.signature, 'a/s');
  });

  test('what another cause explains is not the root, also by a detour over a cause that is absent', () => {
    const causes = [
      cause('root', { phase: 'kubelet-start', explains: [explains('between')] }),
      cause('between', { explains: [explains('echo')] }),
      cause('echo'),
    ];
    assert.equal(causeOf(pack(causes), matched(60, [seen('root/s', [10]), seen('echo/s', [20])]), [], CAPTURE), 'root');
  });

  test('a cause does not explain what happened long before it, unless it says so', () => {
    const found = matched(600, [seen('late/s', [500]), seen('early/s', [10])]);
    const late = (over: Partial<Explanation>) => cause('late', { explains: [explains('early', over)] });
    assert.equal(causeOf(pack([late({}), cause('early')]), found, [], CAPTURE), 'early');
    assert.equal(causeOf(pack([late({ onlyIfBefore: false }), cause('early')]), found, [], CAPTURE), 'late');
    assert.equal(
      causeOf(pack([late({ onlyIfBefore: false, withinMs: 60_000 }), cause('early')]), found, [], CAPTURE),
      'early',
    );
  });

  test('of two unexplained causes the one of the earlier phase wins', () => {
    const causes = [cause('later', { phase: 'cni' }), cause('earlier', { phase: 'bootstrap' })];
    const verdict = diagnose(pack(causes), matched(60, [seen('later/s', [10]), seen('earlier/s', [20])]), [], CAPTURE);
    assert.equal(verdict.cause?.id, 'earlier');
    assert.deepEqual(
      verdict.otherCauses.map((other) => other.id),
      ['later'],
    );
  });

  test('a transient cause that has not lasted yields to one that needs no time', () => {
    const causes = pack([
      cause('short', { phase: 'registration', severity: 'transient', persistsMs: 90_000 }),
      cause('sure', { phase: 'ready' }),
    ]);
    assert.equal(causeOf(causes, matched(60, [seen('short/s', [10, 20]), seen('sure/s', [30])]), [], CAPTURE), 'sure');
    assert.equal(
      causeOf(causes, matched(600, [seen('short/s', [10, 200]), seen('sure/s', [300])]), [], CAPTURE),
      'short',
    );
  });

  test('a hint loses against a decisive line and explains no decisive cause', () => {
    const hint = cause('hint', {
      signatures: [signature('hint', 's', { decisive: false })],
      explains: [explains('sure')],
    });
    assert.equal(
      causeOf(
        pack([hint, cause('sure', { phase: 'cni' })]),
        matched(60, [seen('hint/s', [1]), seen('sure/s', [2])]),
        [],
        CAPTURE,
      ),
      'sure',
    );
  });

  test('a symptom is never the cause', () => {
    const verdict = diagnose(
      pack([cause('echo', { kind: 'symptom' })]),
      matched(60, [seen('echo/s', [10])]),
      [],
      CAPTURE,
    );
    assert.equal(verdict.cause, null);
    assert.deepEqual(
      verdict.symptoms.map((symptom) => symptom.id),
      ['echo'],
    );
  });

  test('on a live node records that nobody vouches for give at most medium', () => {
    const sure = (provenance: Provenance, context: DiagnosisContext) =>
      diagnose(pack([cause('a')]), matched(60, [seen('a/s', [10], {}, { provenance })]), [], context).cause?.confidence;
    const live = { ...CAPTURE, nowMs: START_MS + 60_000 };
    assert.deepEqual([sure('proven', live), sure('named', live), sure('named', CAPTURE)], ['high', 'medium', 'high']);
  });

  test('words that any program prints give at most low while nobody knows who said them', () => {
    const sure = (provenance: Provenance, wording: 'own' | 'common') =>
      diagnose(
        pack([cause('a', { signatures: [signature('a', 's', { wording })] })]),
        matched(60, [seen('a/s', [10], {}, { provenance })]),
        [],
        CAPTURE,
      ).cause?.confidence;
    assert.deepEqual(
      [sure('unproven', 'common'), sure('unproven', 'own'), sure('pasted', 'common')],
      ['low', 'high', 'high'],
    );
  });

  test('a transient cause is high only after it has lasted', () => {
    const causes = pack([cause('a', { severity: 'transient', persistsMs: 90_000 })]);
    assert.equal(diagnose(causes, matched(60, [seen('a/s', [10, 40])]), [], CAPTURE).cause?.confidence, 'medium');
    assert.equal(diagnose(causes, matched(160, [seen('a/s', [10, 120])]), [], CAPTURE).cause?.confidence, 'high');
  });
});

describe('a short spell', () => {
  const spell = cause('spell', {
    severity: 'transient',
    persistsMs: 60_000,
    phase: 'registration',
    explains: [explains('lasting', { onlyIfBefore: false })],
  });
  const both = pack([spell, cause('lasting', { phase: 'cni' })]);

  test('explains nothing that outlives it', () => {
    assert.equal(
      causeOf(
        both,
        matched(300, [seen('node-registered', [10]), seen('spell/s', [20, 30]), seen('lasting/s', [40, 280])]),
        [],
        CAPTURE,
      ),
      'lasting',
    );
  });

  test('explains what ends with it, or what it has lasted long enough for', () => {
    assert.equal(
      causeOf(
        both,
        matched(60, [seen('node-registered', [10]), seen('spell/s', [20, 30]), seen('lasting/s', [40, 50])]),
        [],
        CAPTURE,
      ),
      'spell',
    );
    assert.equal(
      causeOf(
        both,
        matched(400, [seen('node-registered', [10]), seen('spell/s', [20, 130]), seen('lasting/s', [40, 280])]),
        [],
        CAPTURE,
      ),
      'spell',
    );
  });
});

describe('requirements', () => {
  const often = pack([
    cause('a', {
      signatures: [signature('a', 's', { occurrences: { atLeast: 3, withinMs: 60_000, lastingMs: null } })],
    }),
  ]);

  test('occurrences: too few, too slow, enough', () => {
    assert.equal(causeOf(often, matched(600, [seen('a/s', [1, 2])]), [], CAPTURE), null);
    assert.equal(causeOf(often, matched(600, [seen('a/s', [1, 200, 400])]), [], CAPTURE), null);
    assert.equal(causeOf(often, matched(600, [seen('a/s', [1, 20, 40])]), [], CAPTURE), 'a');
  });

  test('occurrences: over a time', () => {
    const lasting = pack([
      cause('a', {
        signatures: [signature('a', 's', { occurrences: { atLeast: 3, withinMs: null, lastingMs: 90_000 } })],
      }),
    ]);
    assert.equal(causeOf(lasting, matched(600, [seen('a/s', [1, 30, 60])]), [], CAPTURE), null);
    assert.equal(causeOf(lasting, matched(600, [seen('a/s', [1, 30, 91])]), [], CAPTURE), 'a');
    assert.equal(causeOf(lasting, matched(600, [seen('a/s', [null, null, null])]), [], CAPTURE), null);
  });

  test('another record before, within a time, or absent', () => {
    const requires = (over: Partial<Requirement>) =>
      pack([
        cause('a', {
          signatures: [
            signature('a', 's', {
              requires: [requirement('milestone', 'bootstrap-started', over)],
            }),
          ],
        }),
      ]);
    const both = matched(60, [seen('a/s', [50]), seen('bootstrap-started', [10])]);
    const alone = matched(60, [seen('a/s', [50])]);
    assert.equal(causeOf(requires({}), both, [], CAPTURE), 'a');
    assert.equal(causeOf(requires({}), alone, [], CAPTURE), null);
    assert.equal(causeOf(requires({ absent: true }), both, [], CAPTURE), null);
    assert.equal(causeOf(requires({ absent: true }), alone, [], CAPTURE), 'a');
    assert.equal(causeOf(requires({ order: 'before' }), both, [], CAPTURE), 'a');
    assert.equal(causeOf(requires({ order: 'after' }), both, [], CAPTURE), null);
    assert.equal(causeOf(requires({ withinMs: 5_000 }), both, [], CAPTURE), null);
  });

  test('appliesTo: an unknown fact never excludes, a known one does', () => {
    const only = pack([
      cause('a', { signatures: [signature('a', 's', { appliesTo: { os: ['al2'], kubernetes: ['>=1.24'] } })] }),
    ]);
    const found = (facts: Record<string, string>) => matched(60, [seen('a/s', [10])], { facts });
    assert.equal(causeOf(only, found({}), [], CAPTURE), 'a');
    assert.equal(causeOf(only, found({ os: 'al2', kubernetes: '1.30' }), [], CAPTURE), 'a');
    assert.equal(causeOf(only, found({ os: 'al2023' }), [], CAPTURE), null);
    assert.equal(causeOf(only, found({ kubernetes: '1.9' }), [], CAPTURE), null);
  });
});

describe('recovery and readiness', () => {
  test('the good end of its phase ends a finding; a line after it does not', () => {
    const over = diagnose(
      pack([cause('a')]),
      matched(60, [seen('a/s', [10]), seen('bootstrap-finished', [20])]),
      [],
      CAPTURE,
    );
    assert.equal(over.cause, null);
    assert.deepEqual(
      over.recovered.map(({ id, by }) => [id, by]),
      [['a', 'bootstrap-finished']],
    );
    assert.equal(
      causeOf(pack([cause('a')]), matched(60, [seen('a/s', [30]), seen('bootstrap-finished', [20])]), [], CAPTURE),
      'a',
    );
  });

  test('a registered node ends what came before, but not a fault of the host', () => {
    const found = matched(60, [seen('a/s', [10]), seen('node-registered', [20])]);
    assert.equal(causeOf(pack([cause('a')]), found, [], CAPTURE), null);
    assert.equal(causeOf(pack([cause('a', { phase: 'kernel' })]), found, [], CAPTURE), 'a');
  });

  test('Ready after everything is ready; a later lasting fault is not', () => {
    const ready = diagnose(
      pack([cause('a', { phase: 'kernel' })]),
      matched(60, [seen('a/s', [10]), seen('node-ready', [20])]),
      [],
      CAPTURE,
    );
    assert.equal(ready.status, 'ready');
    assert.equal(ready.cause, null);
    const later = diagnose(
      pack([cause('a', { phase: 'kernel' })]),
      matched(600, [seen('node-ready', [20]), seen('a/s', [500])]),
      [],
      CAPTURE,
    );
    assert.equal(later.status, 'failed');
  });

  test('not Ready after Ready is not ready', () => {
    assert.notEqual(
      diagnose(pack([]), matched(60, [seen('node-ready', [20]), seen('node-not-ready', [30])]), [], CAPTURE).status,
      'ready',
    );
    assert.equal(
      diagnose(pack([]), matched(60, [seen('node-not-ready', [20]), seen('node-ready', [30])]), [], CAPTURE).status,
      'ready',
    );
  });

  test('a passing fault of a Ready node is not worth a word', () => {
    const causes = pack([cause('a', { severity: 'transient', phase: 'cni' })]);
    assert.equal(causeOf(causes, matched(600, [seen('node-ready', [20]), seen('a/s', [500, 510])]), [], CAPTURE), null);
    assert.equal(causeOf(causes, matched(600, [seen('node-ready', [20]), seen('a/s', [100, 510])]), [], CAPTURE), 'a');
  });

  test('on a Ready node a lasting fault counts only while it goes on', () => {
    const causes = pack([cause('a', { severity: 'transient', persistsMs: 60_000, phase: 'registration' })]);
    const outage = [seen('node-ready', [20]), seen('a/s', [3600, 3780])] as const;
    assert.equal(causeOf(causes, matched(3900, [...outage]), [], CAPTURE), 'a');
    assert.equal(causeOf(causes, matched(7200, [...outage]), [], CAPTURE), null);
  });

  test('an earlier boot is asked for the same company as this one', () => {
    const requires = [
      {
        kind: 'milestone' as const,
        target: 'node-registered',
        codes: null,
        order: null,
        withinMs: null,
        absent: true,
        sameStream: false,
        sameProcess: false,
      },
    ];
    const causes = pack([cause('a', { signatures: [signature('a', 's', { requires })] })]);
    const earlier = (...others: ReturnType<typeof seen>[]) =>
      diagnose(
        causes,
        matched(60, [], { earlierMatches: new Map([seen('a/s', [-500]), ...others]) }),
        [],
        CAPTURE,
      ).recovered.map(({ id }) => id);
    assert.deepEqual(earlier(), ['a']);
    assert.deepEqual(earlier(seen('node-registered', [-400])), []);
  });

  test('an earlier boot is reported as such and never as the cause', () => {
    const verdict = diagnose(
      pack([cause('a')]),
      matched(60, [], { earlierMatches: new Map([seen('a/s', [-500])]) }),
      [],
      CAPTURE,
    );
    assert.equal(verdict.cause, null);
    assert.deepEqual(
      verdict.recovered.map(({ id, state }) => [id, state]),
      [['a', 'earlier-boot']],
    );
  });
});

describe('stalls', () => {
  const stalling = (process: boolean) =>
    pack([
      cause('hang', {
        signatures: [],
        stalls: [
          {
            id: 'silent',
            after: 'bootstrap-started',
            without: ['bootstrap-finished'],
            forMs: 120_000,
            suspects: false,
            process: process ? signature('hang', 'silent#process').pattern : null,
            appliesTo: {},
          },
        ],
      }),
    ]);

  test('silence for long enough, not sooner, and not once the step has ended', () => {
    assert.equal(causeOf(stalling(false), matched(100, [seen('bootstrap-started', [10])]), [], CAPTURE), null);
    const verdict = diagnose(stalling(false), matched(200, [seen('bootstrap-started', [10])]), [], CAPTURE);
    assert.equal(verdict.cause?.id, 'hang');
    assert.equal(verdict.status, 'stalled');
    assert.equal(
      causeOf(
        stalling(false),
        matched(200, [seen('bootstrap-started', [10]), seen('bootstrap-finished', [20])]),
        [],
        CAPTURE,
      ),
      null,
    );
  });

  test('a process list confirms or refutes it; without one it stays medium', () => {
    const started = seen('bootstrap-started', [10]);
    const listed = { sources: matched(200, []).sources.map((source) => ({ ...source, streams: ['processes'] })) };
    assert.equal(diagnose(stalling(true), matched(200, [started]), [], CAPTURE).cause?.confidence, 'medium');
    assert.equal(causeOf(stalling(true), matched(200, [started], listed), [], CAPTURE), null);
    const hanging = seen('hang/silent#process', [null], {}, { stream: 'processes' });
    assert.equal(
      diagnose(stalling(true), matched(200, [started, hanging], listed), [], CAPTURE).cause?.confidence,
      'high',
    );
  });

  test('a process that runs on a live node hangs only after its time; a list that could not be had says nothing', () => {
    const started = seen('bootstrap-started', [10]);
    const hanging = seen('hang/silent#process', [null], {}, { stream: 'processes' });
    const listed = (bytes: number) => ({
      sources: matched(0, []).sources.map((source) => ({ ...source, bytes, streams: ['processes'] })),
    });
    const live = (seconds: number) => ({ ...CAPTURE, nowMs: START_MS + seconds * 1000, uptimeSeconds: seconds });
    const early = matched(13, [started, hanging], listed(1));
    assert.equal(causeOf(stalling(true), early, [], CAPTURE), 'hang', 'a capture may be older than its list');
    assert.equal(causeOf(stalling(true), early, [], live(13)), null);
    assert.equal(causeOf(stalling(true), early, [], live(130)), 'hang');
    assert.equal(causeOf(stalling(true), matched(130, [started], listed(0)), [], live(130)), 'hang');
  });

  test('a clock that was set forward makes no silence longer than the uptime', () => {
    const ahead = matched(0, [seen('bootstrap-started', [-3_600])], { sources: [] });
    const after = (seconds: number) =>
      causeOf(stalling(false), ahead, [], { ...CAPTURE, nowMs: START_MS + seconds * 1000, uptimeSeconds: seconds });
    assert.deepEqual([after(60), after(130)], [null, 'hang']);
  });

  test('a silence without a process list is not mentioned beside a proven cause', () => {
    const causes = pack([cause('sure', { phase: 'cni' }), ...stalling(true).causes]);
    const verdict = diagnose(
      causes,
      matched(200, [seen('bootstrap-started', [10]), seen('sure/s', [20])]),
      [],
      CAPTURE,
    );
    assert.equal(verdict.cause?.id, 'sure');
    assert.deepEqual(verdict.otherCauses, []);
  });

  test('a step that begins again must end again; a state that is reached again need not', () => {
    const after = (id: string) =>
      pack([
        cause('hang', {
          phase: 'cni',
          signatures: [],
          stalls: [
            {
              id: 'silent',
              after: id,
              without: ['cni-installed'],
              forMs: 120_000,
              suspects: false,
              process: null,
              appliesTo: {},
            },
          ],
        }),
      ]);
    const again = (id: string) => matched(900, [seen(id, [10, 600]), seen('cni-installed', [40])]);
    assert.equal(causeOf(after('kernel-started'), again('kernel-started'), [], CAPTURE), 'hang');
    assert.equal(causeOf(after('node-registered'), again('node-registered'), [], CAPTURE), null);
  });

  test('a node that registered all the same does not hang', () => {
    assert.equal(
      causeOf(
        stalling(false),
        matched(900, [seen('bootstrap-started', [10]), seen('node-registered', [40])]),
        [],
        CAPTURE,
      ),
      null,
    );
  });
});

describe('what is said at once', () => {
  const REFUTES = use('disk', 'ok', 'refutes');
  const at = (seconds: number, over: Partial<Cause>, found: readonly number[], probes: readonly ProbeResult[] = []) => {
    const live = { ...CAPTURE, nowMs: START_MS + seconds * 1000, uptimeSeconds: seconds };
    const { isUrgent, needsAnswers } = assess(
      pack([cause('a', { probes: [REFUTES], ...over })]),
      matched(seconds, [seen('a/s', found)]),
      probes,
      live,
    );
    return [isUrgent, needsAnswers];
  };

  test('a fatal cause once it is as old as its file demands', () => {
    assert.deepEqual(at(10, {}, [10]), [true, false]);
    assert.deepEqual(at(100, { persistsMs: 120_000 }, [10]), [false, false]);
    assert.deepEqual(at(130, { persistsMs: 120_000 }, [10]), [true, false]);
  });

  test('a transient one once it has gone on for so long, and with the node’s answers', () => {
    assert.deepEqual(at(200, { severity: 'transient', persistsMs: 60_000 }, [10, 20]), [false, true]);
    assert.deepEqual(at(200, { severity: 'transient', persistsMs: 60_000 }, [10, 90]), [true, true]);
  });

  test('what is said once and stays, as if it were said all the time', () => {
    const stays = {
      severity: 'transient',
      persistsMs: 60_000,
      signatures: [signature('a', 's', { stays: true })],
    } as const;
    assert.deepEqual(at(60, stays, [10]), [false, true]);
    assert.deepEqual(at(70, stays, [10]), [true, true]);
    const recovered = [{ ...stays, recoveredBy: ['node-registered'] }].map((over) =>
      assess(pack([cause('a', over)]), matched(70, [seen('a/s', [10]), seen('node-registered', [40])]), [], CAPTURE),
    );
    assert.deepEqual(
      recovered.map(({ verdict }) => verdict.cause),
      [null],
    );
  });

  test('none that a probe contradicts, nor what leaves a node Ready', () => {
    assert.deepEqual(at(10, {}, [10], [answer('disk', 'ok')]), [false, false]);
    assert.deepEqual(at(10, { severity: 'degraded' }, [10]), [false, false]);
  });
});

describe('without a cause', () => {
  test('a boot under way is bootstrapping, a silent one stalled, nothing at all unknown', () => {
    assert.equal(
      diagnose(pack([]), matched(40, [seen('bootstrap-started', [10])]), [], CAPTURE).status,
      'bootstrapping',
    );
    assert.equal(diagnose(pack([]), matched(400, [seen('bootstrap-started', [10])]), [], CAPTURE).status, 'stalled');
    assert.equal(diagnose(pack([]), matched(400, []), [], CAPTURE).status, 'unknown');
  });

  test('the last errors and the phase reached are told', () => {
    const base = matched(400, [seen('bootstrap-started', [10]), seen('bootstrap-finished', [20])]);
    const verdict = diagnose(
      pack([]),
      {
        ...base,
        sources: base.sources.map((source) => ({ ...source, lastErrors: [record(390, { raw: 'something broke' })] })),
      },
      [],
      CAPTURE,
    );
    assert.deepEqual(verdict.phase, {
      reached: 'bootstrap',
      current: 'kubelet-start',
      since: '2025-05-06T08:00:20.000Z',
    });
    assert.deepEqual(
      verdict.evidence.map(({ line, signature: by }) => [line, by]),
      [['something broke', 'last-error']],
    );
  });
});

test('the id is the same for the same content and differs with it', () => {
  const one = diagnose(pack([cause('a')]), matched(60, [seen('a/s', [10])]), [], CAPTURE);
  const again = diagnose(pack([cause('a')]), matched(60, [seen('a/s', [10])]), [], CAPTURE);
  const other = diagnose(pack([cause('a')]), matched(60, [seen('a/s', [11])]), [], CAPTURE);
  assert.equal(one.id, again.id);
  assert.notEqual(one.id, other.id);
  const interim = diagnose(pack([cause('a')]), matched(60, [seen('a/s', [10])]), [], { ...CAPTURE, final: false });
  assert.notEqual(interim.id, one.id);
  assert.deepEqual(restate(interim, { final: true }), one);
});

test('without rights nothing found means nothing known, and what is found stands', () => {
  const found = matched(60, [seen('a/s', [10])]);
  const context = { ...CAPTURE, lacksRights: true };
  assert.equal(diagnose(pack([]), matched(600, []), [], context).status, 'unknown');
  assert.equal(diagnose(pack([cause('a')]), found, [], context).status, 'failed');
});
