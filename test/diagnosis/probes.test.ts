// What the answers of probes do to a verdict: prove, confirm, contradict, end, and say whether the node is Ready.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import type { Cause, Explanation, ProbeResult, ProbeUse, Verdict } from '../../src/types.ts';
import {
  answer,
  CAPTURE,
  cause,
  matched,
  milestone,
  pack,
  requirement,
  seen,
  signature,
  START_MS,
  use,
} from './builders.ts';

const PROVES = use('disk', 'full', 'proves');
const FULL = answer('disk', 'full', { path: '/var', free_mib: 0 });
const LIVE = { ...CAPTURE, nowMs: START_MS + 900_000, uptimeSeconds: 900 };

const explains = (id: string): Explanation => ({ id, withinMs: null, onlyIfBefore: true });
const withProbes = (id: string, probes: readonly ProbeUse[], over: Partial<Cause> = {}): Cause =>
  cause(id, { probes, ...over });
/** The boot began a step at once and has got nowhere for a quarter of an hour. */
const STALLED = matched(900, [seen('bootstrap-started', [5])]);
const MOVING = matched(30, [seen('bootstrap-started', [5])]);

function bearings({ probes }: Verdict): (string | null)[] {
  return probes.map(({ bearing }) => bearing);
}

describe('a probe alone', () => {
  test('proves a cause of a boot that gets nowhere: failed, high, no line of evidence', () => {
    const verdict = diagnose(
      pack([withProbes('a', [PROVES], { summary: 'No room on {path}.' })]),
      STALLED,
      [FULL],
      LIVE,
    );
    assert.deepEqual([verdict.status, verdict.cause?.id, verdict.cause?.confidence], ['failed', 'a', 'high']);
    assert.equal(verdict.cause?.summary, 'No room on /var.');
    assert.deepEqual(verdict.evidence, []);
    assert.deepEqual(bearings(verdict), ['proves']);
  });

  test('proves nothing while the boot goes on, unless it may at any time', () => {
    const at = (when: ProbeUse['when']) =>
      diagnose(pack([withProbes('a', [{ ...PROVES, when }])]), MOVING, [FULL], CAPTURE);
    assert.deepEqual([at('stalled').cause, at('stalled').status], [null, 'bootstrapping']);
    assert.equal(at('always').cause?.id, 'a');
  });

  test('a unit that restarts is no progress', () => {
    const loop = matched(900, [seen('bootstrap-finished', [20]), seen('kubelet-started', [30, 300, 600, 890])]);
    assert.equal(diagnose(pack([withProbes('a', [PROVES], { phase: 'cni' })]), loop, [FULL], CAPTURE).cause?.id, 'a');
  });

  test('without any log the time since the boot decides', () => {
    const nothing = matched(0, [], { sources: [], bootWallMs: null });
    const after = (uptimeSeconds: number) =>
      diagnose(pack([withProbes('a', [PROVES])]), nothing, [FULL], { ...LIVE, uptimeSeconds }).cause;
    assert.equal(after(30), null);
    assert.equal(after(900)?.id, 'a');
  });

  test('proves nothing on a Ready node, nor what has worked in this boot', () => {
    const causes = pack([withProbes('a', [PROVES])]);
    assert.deepEqual(
      [seen('node-ready', [20]), seen('bootstrap-finished', [20]), seen('node-registered', [20])].map(
        (health) => diagnose(causes, matched(900, [seen('bootstrap-started', [5]), health]), [FULL], CAPTURE).cause,
      ),
      [null, null, null],
    );
  });

  test('needs the company that its use names', () => {
    const needing = (...requires: ProbeUse['requires']) => pack([withProbes('a', [{ ...PROVES, requires }])]);
    const cases: readonly [ReturnType<typeof pack>, readonly ProbeResult[], boolean][] = [
      [needing(requirement('milestone', 'bootstrap-started')), [FULL], true],
      [needing(requirement('milestone', 'kubelet-started')), [FULL], false],
      [needing(requirement('milestone', 'kubelet-started', { absent: true })), [FULL], true],
      [needing(requirement('probe', 'kubelet-healthy')), [FULL], false],
      [needing(requirement('probe', 'kubelet-healthy')), [FULL, answer('kubelet-healthy', 'ok')], false],
      [needing(requirement('probe', 'kubelet-healthy')), [FULL, answer('kubelet-healthy', 'refused')], true],
      [
        needing(requirement('probe', 'kubelet-healthy')),
        [FULL, answer('kubelet-healthy', 'time-limit', {}, 'timeout')],
        true,
      ],
      [
        needing(requirement('probe', 'kubelet-healthy')),
        [FULL, answer('kubelet-healthy', 'broken', {}, 'skipped')],
        false,
      ],
      [needing(requirement('probe', 'config', { codes: ['ok'] })), [FULL, answer('config', 'ok')], true],
      [needing(requirement('probe', 'config', { codes: ['ok'] })), [FULL, answer('config', 'missing')], false],
    ];
    assert.deepEqual(
      cases.map(([causes, probes]) => diagnose(causes, STALLED, probes, CAPTURE).cause !== null),
      cases.map(([, , proven]) => proven),
    );
  });

  test('speaks of some facts and some nodes only', () => {
    const where = (over: Partial<ProbeUse>, ...more: ProbeResult[]) =>
      diagnose(pack([withProbes('a', [{ ...PROVES, ...over }])]), STALLED, [FULL, ...more], CAPTURE).cause?.id;
    assert.equal(where({ where: [{ fact: 'path', test: 'equals', value: '/var' }] }), 'a');
    assert.equal(where({ where: [{ fact: 'path', test: 'equals', value: '/' }] }), undefined);
    assert.equal(where({ appliesTo: { os: ['al2'] } }), 'a');
    assert.equal(
      where({ appliesTo: { os: ['al2'] } }, answer('components-known', 'ok', { os: 'bottlerocket' })),
      undefined,
    );
  });

  test('what may pass by itself is high only after the boot has got nowhere for as long', () => {
    const passing = (persistsMs: number) => pack([withProbes('a', [PROVES], { severity: 'transient', persistsMs })]);
    assert.equal(diagnose(passing(90_000), STALLED, [FULL], CAPTURE).cause?.confidence, 'high');
    assert.equal(diagnose(passing(3_600_000), STALLED, [FULL], CAPTURE).cause?.confidence, 'medium');
  });

  test('the same answer twice, of two things, is one finding', () => {
    const verdict = diagnose(
      pack([withProbes('a', [PROVES], { summary: '{path}' })]),
      STALLED,
      [FULL, { ...FULL, facts: { path: '/tmp' } }],
      CAPTURE,
    );
    assert.equal(verdict.cause?.summary, '/var');
    assert.deepEqual(bearings(verdict), ['proves', 'proves']);
  });
});

describe('lines and probes', () => {
  const LINE = seen('a/s', [10], { path: '/etc/x' });
  const both = (probes: readonly ProbeUse[], answers: readonly ProbeResult[], over: Partial<Cause> = {}) =>
    diagnose(pack([withProbes('a', probes, over)]), matched(40, [LINE]), answers, CAPTURE);

  test('what confirms makes surer, what contradicts less sure, both together neither', () => {
    const CONFIRMS = use('p', 'bad', 'confirms');
    const REFUTES = use('p', 'ok', 'refutes');
    const hint = { signatures: [signature('a', 's', { decisive: false })] };
    const said = (probes: readonly ProbeUse[], ...codes: string[]) => {
      const verdict = both(
        probes,
        codes.map((code) => answer('p', code)),
        hint,
      );
      return [verdict.cause?.confidence, ...bearings(verdict)];
    };
    assert.deepEqual(said([CONFIRMS, REFUTES], 'bad'), ['medium', 'confirms']);
    assert.deepEqual(said([CONFIRMS, REFUTES], 'ok'), ['low', 'refutes']);
    assert.deepEqual(said([CONFIRMS, REFUTES], 'bad', 'ok'), ['low', 'confirms', 'refutes']);
    assert.deepEqual(said([CONFIRMS, REFUTES], 'other'), ['low', null]);
    assert.equal(both([REFUTES], [answer('p', 'ok')]).cause?.confidence, 'medium');
  });

  test('what would prove it at another time confirms it now', () => {
    const verdict = both([PROVES], [FULL], {
      signatures: [signature('a', 's', { decisive: false })],
      summary: '{path} {free_mib}',
    });
    assert.deepEqual(
      [verdict.cause?.confidence, verdict.cause?.summary, ...bearings(verdict)],
      ['medium', '/etc/x 0', 'confirms'],
    );
  });

  test('an answer that ends it leaves nothing to blame', () => {
    const verdict = both([use('p', 'ok', 'ends')], [answer('p', 'ok')]);
    assert.equal(verdict.cause, null);
    assert.deepEqual(
      verdict.recovered.map(({ id, by }) => [id, by]),
      [['a', 'p']],
    );
  });

  test('what a probe proves now explains what happened before, and is explained by what did', () => {
    const line = cause('line', { phase: 'kernel' });
    const probed = (over: Partial<Cause>) => cause('probed', { probes: [PROVES], ...over });
    const found = matched(900, [seen('bootstrap-started', [5]), seen('line/s', [10])]);
    const verdict = diagnose(pack([probed({ explains: [explains('line')] }), line]), found, [FULL], CAPTURE);
    assert.deepEqual([verdict.cause?.id, verdict.otherCauses[0]?.explainedBy], ['probed', 'probed']);
    assert.equal(
      diagnose(pack([{ ...line, explains: [explains('probed')] }, probed({})]), found, [FULL], CAPTURE).cause?.id,
      'line',
    );
  });

  test('a finding that a probe contradicts yields, and explains nothing that a probe speaks for', () => {
    const old = cause('old', { phase: 'kernel', probes: [use('imds', 'ok', 'refutes')], explains: [explains('now')] });
    const now = cause('now', { probes: [PROVES] });
    const found = matched(900, [seen('bootstrap-started', [5]), seen('old/s', [10])]);
    const verdict = diagnose(pack([old, now]), found, [FULL, answer('imds', 'ok')], CAPTURE);
    assert.deepEqual(
      [verdict.cause?.id, verdict.otherCauses.map(({ id, explainedBy }) => [id, explainedBy])],
      ['now', [['old', null]]],
    );
  });

  test('beside a root, what only a probe saw is listed without a first time', () => {
    const verdict = diagnose(
      pack([cause('root', { phase: 'kernel' }), cause('probed', { probes: [PROVES] })]),
      matched(900, [seen('bootstrap-started', [5]), seen('root/s', [10])]),
      [FULL],
      CAPTURE,
    );
    assert.deepEqual(
      verdict.otherCauses.map(({ id, firstAt, lastAt, count }) => [id, firstAt, lastAt, count]),
      [['probed', null, verdict.at, 0]],
    );
  });
});

describe('whether the node is Ready', () => {
  const asked = (code: string, outcome?: ProbeResult['outcome']) => answer('node-registered', code, {}, outcome);
  const LINE_AND_READY = [seen('bootstrap-started', [5]), seen('node-ready', [20]), seen('a/s', [500])] as const;

  test('is what the API server says, whatever the logs said', () => {
    const causes = pack([cause('a', { phase: 'kernel' }), cause('lasting', { severity: 'degraded', phase: 'cni' })]);
    const found = matched(900, [seen('bootstrap-started', [5]), seen('a/s', [500])]);
    const verdict = diagnose(causes, found, [asked('ok')], LIVE);
    assert.deepEqual(
      [verdict.status, verdict.cause, verdict.recovered.map(({ id, by }) => [id, by])],
      ['ready', null, [['a', 'node-registered']]],
    );
    const degraded = diagnose(causes, matched(900, [seen('lasting/s', [100, 400, 890])]), [asked('ok')], LIVE);
    assert.deepEqual([degraded.status, degraded.cause?.id], ['ready', 'lasting']);
  });

  for (const code of ['not-ready', 'unauthorized', 'forbidden', 'not-found'])
    test(`${code}: never ready, even if a line said so`, () => {
      const verdict = diagnose(
        pack([]),
        matched(900, [seen('bootstrap-started', [5]), seen('node-ready', [20])]),
        [asked(code)],
        LIVE,
      );
      assert.deepEqual([verdict.status, verdict.phase.current], ['stalled', 'ready']);
    });

  for (const [code, outcome] of [
    ['time-limit', 'timeout'],
    ['no-credentials', 'skipped'],
    ['connect-timeout', 'timeout'],
  ] as const)
    test(`${code}: the logs decide`, () => {
      const found = matched(900, LINE_AND_READY.slice(0, 2));
      assert.equal(diagnose(pack([]), found, [asked(code, outcome)], LIVE).status, 'ready');
      assert.notEqual(
        diagnose(pack([]), matched(900, LINE_AND_READY.slice(0, 1)), [asked(code, outcome)], LIVE).status,
        'ready',
      );
    });
});

describe('facts', () => {
  test('a probe is believed before files and logs; what only concerns its question is no fact of the node', () => {
    const found = matched(60, [seen('a/s', [10], { region: 'us-east-1', instance_type: 'm5.large' })], {
      facts: { cluster: 'of-a-file' },
    });
    const probes = [
      answer('instance-metadata-reachable', 'ok', {
        region: 'eu-west-1',
        instance_id: 'i-0123456789abcdef0',
        role_arn: 'arn:aws:iam::111122223333:role/node',
      }),
      answer('cluster-configured', 'ok', { cluster: 'demo', endpoint_host: 'x.gr7.eu-west-1.eks.amazonaws.com' }),
      answer('ec2-api-reachable', 'ok', { host: 'ec2.eu-west-1.amazonaws.com', path: '/x' }),
    ];
    const { node } = diagnose(pack([cause('a')]), found, probes, CAPTURE);
    assert.deepEqual(
      [node.region, node.instanceType, node.cluster, node.instanceId, node.roleName, node.account, node.endpointHost],
      [
        'eu-west-1',
        'm5.large',
        'demo',
        'i-0123456789abcdef0',
        'node',
        '111122223333',
        'x.gr7.eu-west-1.eks.amazonaws.com',
      ],
    );
  });

  test('how the node is called the kubelet knows better than a probe that had to guess', () => {
    const registered = milestone('node-registered', 'registration', 'finished');
    const remedy = [{ text: 'Look.', command: 'kubectl get node {node_name}', where: 'admin' as const, when: {} }];
    const causes = pack([withProbes('a', [], { phase: 'cni', remedy })], { milestones: [registered] });
    const asked = answer('node-registered', 'time-limit', { node_name: 'ip-10-0-0-1.corp.example' }, 'timeout');
    const commandOf = (found: ReturnType<typeof seen>[]) =>
      diagnose(causes, matched(60, found), [asked], CAPTURE).cause?.remedy[0]?.command;
    assert.equal(commandOf([seen('a/s', [50])]), 'kubectl get node ip-10-0-0-1.corp.example');
    assert.equal(
      commandOf([seen('a/s', [50]), seen('node-registered', [40], { node_name: 'ip-10-0-0-1.ec2.internal' })]),
      'kubectl get node ip-10-0-0-1.ec2.internal',
    );
  });

  test('commands take what a probe knows, if it has the right form', () => {
    const remedy = [
      {
        text: 'Look.',
        command: 'df {path}; aws eks describe-cluster --name {cluster}',
        where: 'node' as const,
        when: {},
      },
    ];
    const probes = [answer('cluster-configured', 'ok', { cluster: '$(reboot)' }), FULL];
    const verdict = diagnose(pack([withProbes('a', [PROVES], { remedy })]), STALLED, probes, CAPTURE);
    assert.equal(verdict.cause?.remedy[0]?.command, 'df /var; aws eks describe-cluster --name CLUSTER_NAME');
  });
});

test("lines of this tool's own verdicts are named as not looked at", () => {
  const base = matched(60, []);
  const verdict = diagnose(
    pack([]),
    { ...base, sources: base.sources.map((source) => ({ ...source, earlierVerdicts: 12 })) },
    [],
    CAPTURE,
  );
  assert.deepEqual(verdict.notChecked, [{ what: 'messages', code: 'own-output', detail: '12' }]);
});

test('of two causes that lines tell of, the one that an answer agrees with is the cause, though its step comes later', () => {
  const causes = [cause('early'), withProbes('late', [use('disk', 'full', 'confirms')], { phase: 'kubelet-start' })];
  const lines = matched(900, [seen('bootstrap-started', [5]), seen('early/s', [20]), seen('late/s', [30])]);
  const named = (answers: readonly ProbeResult[]) => diagnose(pack(causes), lines, answers, LIVE).cause?.id;
  assert.deepEqual([named([]), named([FULL])], ['early', 'late']);
});
