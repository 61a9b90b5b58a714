import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fact, recordBar } from '../../../build/bars.ts';
import { ROOT } from '../../../build/project.ts';
import {
  type EventContext,
  renderBootStarted,
  renderCloudWatchEvent,
} from '../../../src/render/cloudwatch/cloudwatch-event.ts';
import { phaseMetric } from '../../../src/render/cloudwatch/embedded-metrics.ts';
import type { Counts, Verdict } from '../../../src/types.ts';
import { readPack } from '../../patterns/verdict-of.ts';
import { directivesOf, metricsIn } from './emf-schema.ts';
import { FAILED, redacted } from '../verdicts.ts';

const CONTEXT: EventContext = { nowMs: Date.UTC(2025, 4, 6, 9), counts: null };
const MAX_BYTES = 64 * 1024;

const NOTHING: Counts = { started: false, seen: false, ended: false, recovered: false, cause: null };
const LAST: Partial<EventContext> = { counts: { ...NOTHING, ended: true, cause: 'swap-enabled' } };

interface Content extends Record<string, unknown> {
  readonly verdict: Verdict;
  readonly cut?: Record<string, number>;
}

function eventOf(change: Partial<Verdict>, context: Partial<EventContext> = {}) {
  const event = renderCloudWatchEvent(redacted({ ...FAILED, ...change }), { ...CONTEXT, ...context });
  const content = JSON.parse(event.text) as Content;
  assert.ok(Buffer.byteLength(event.text) <= MAX_BYTES - 128, 'room for the two times of a wrong clock');
  return { event, content, metrics: metricsIn(content) };
}

test('the flat keys come first, in their order, and the verdict last', () => {
  const { event, content } = eventOf({});
  const flat =
    'id final status causeId confidence repair phase cluster nodePool capacityType instanceId instanceType az amiId bootstrapSeconds'.split(
      ' ',
    );
  assert.deepEqual(Object.keys(content), [...flat, 'verdict']);
  assert.deepEqual(
    flat.map((key) => content[key]),
    [
      FAILED.id,
      false,
      'failed',
      'swap-enabled',
      'high',
      'fix-first',
      'kubelet-start',
      'shop-staging',
      null,
      null,
      'i-0a1b2c3d4e5f60718',
      'm6i.large',
      'eu-central-1b',
      null,
      204,
    ],
  );
  assert.deepEqual(
    { id: event.id, atMs: event.atMs, final: event.final },
    { id: FAILED.id, atMs: Date.parse(FAILED.at!), final: false },
  );
});

test('the verdict is whole, but for what already stands before it, and the lines beside its evidence', () => {
  const { id: _id, status: _status, final: _final, ...rest } = FAILED;
  const evidence = rest.evidence.map(({ context: _context, ...one }) => one);
  assert.deepEqual(eventOf({}).content.verdict, { ...rest, evidence });
});

test('a verdict without a time is dated now', () => {
  assert.equal(eventOf({ at: null }).event.atMs, CONTEXT.nowMs);
});

test('what counts nothing has no metrics', () => {
  for (const counts of [null, NOTHING]) {
    const { content } = eventOf({ final: true }, { counts });
    assert.deepEqual(
      [content['_aws'], content['Cluster'], content['BootstrapFailure']],
      [undefined, undefined, undefined],
    );
  }
});

test('the last word of a boot that failed: counts by place and cause, times by place alone', () => {
  const { content, metrics } = eventOf({ final: true, node: { ...FAILED.node, nodePool: 'spot' } }, LAST);
  assert.deepEqual(
    [content['Cluster'], content['NodePool'], content['Cause']],
    ['shop-staging', 'spot', 'swap-enabled'],
  );
  assert.deepEqual(metrics, {
    'Cluster BootstrapFailure': 1,
    'Cluster PhaseCloudInitSeconds': 5,
    'Cluster+NodePool BootstrapFailure': 1,
    'Cluster+NodePool PhaseCloudInitSeconds': 5,
    'Cluster+Cause BootstrapFailure': 1,
  });
  assert.equal((content['_aws'] as { Timestamp: number }).Timestamp, Date.parse(FAILED.at!));
  const directives = directivesOf(content);
  assert.deepEqual(
    directives.map(({ Namespace, Dimensions }) => [Namespace, Dimensions]),
    [
      ['EKS/NodeBootstrap', [['Cluster'], ['Cluster', 'NodePool']]],
      ['EKS/NodeBootstrap', [['Cluster', 'Cause']]],
    ],
  );
  const units = directives.flatMap(({ Metrics }) => Metrics.map(({ Name, Unit }) => [Name, Unit]));
  assert.deepEqual(Object.fromEntries(units), { BootstrapFailure: 'Count', PhaseCloudInitSeconds: 'Seconds' });
});

test('a cause that is seen, a boot that begins and one that recovers count once each', () => {
  assert.deepEqual(eventOf({}, { counts: { ...NOTHING, seen: true, cause: 'swap-enabled' } }).metrics, {
    'Cluster FailureSeen': 1,
    'Cluster+NodePool FailureSeen': 1,
    'Cluster+Cause FailureSeen': 1,
  });
  assert.deepEqual(eventOf({ cause: null }, { counts: { ...NOTHING, started: true } }).metrics, {
    'Cluster BootStarted': 1,
    'Cluster+NodePool BootStarted': 1,
  });
  const ready: Partial<Verdict> = { status: 'ready', cause: null, final: true, timeline: [] };
  const { content, metrics } = eventOf(ready, {
    counts: { ...NOTHING, ended: true, recovered: true, cause: 'swap-enabled' },
  });
  assert.equal(content['Cause'], 'swap-enabled');
  assert.deepEqual(metrics, {
    'Cluster BootstrapFailure': 0,
    'Cluster FailureRecovered': 1,
    'Cluster BootToReadySeconds': 204,
    'Cluster+NodePool BootstrapFailure': 0,
    'Cluster+NodePool FailureRecovered': 1,
    'Cluster+NodePool BootToReadySeconds': 204,
    'Cluster+Cause FailureRecovered': 1,
  });
});

test('that a boot has begun is an event without a verdict', () => {
  const verdict = redacted({ ...FAILED, bootId: 'b'.repeat(32) });
  const [event, again] = [renderBootStarted(verdict, 0), renderBootStarted(verdict, 1)];
  const content = JSON.parse(event.text) as Record<string, unknown>;
  assert.equal(event.id, again.id);
  assert.notEqual(event.id, renderBootStarted(redacted({ ...FAILED, bootId: 'c'.repeat(32) }), 0).id);
  assert.deepEqual(
    [content['event'], content['instanceId'], content['status']],
    ['boot-started', 'i-0a1b2c3d4e5f60718', undefined],
  );
  assert.deepEqual(metricsIn(content), { 'Cluster BootStarted': 1, 'Cluster+NodePool BootStarted': 1 });
});

test('a node that still gets on at the deadline is no failure', () => {
  const seen = (['ready', 'bootstrapping', 'stalled', 'failed', 'unknown'] as const).map((status) => {
    const { content } = eventOf(
      { status, final: true, cause: status === 'failed' ? FAILED.cause : null },
      { counts: { ...NOTHING, ended: true, cause: status === 'failed' ? 'swap-enabled' : null } },
    );
    return [status, content['BootstrapFailure'], content['Cause']];
  });
  assert.deepEqual(seen, [
    ['ready', 0, undefined],
    ['bootstrapping', 0, undefined],
    ['stalled', 1, 'unknown'],
    ['failed', 1, 'swap-enabled'],
    ['unknown', 1, 'unknown'],
  ]);
});

const PHASE = { title: '', state: 'finished' as const, startedAt: '2025-05-06T08:16:00.000Z', seconds: 14 };

test('the time to Ready ends at Ready, not when the verdict is made', () => {
  const timeline = [{ ...PHASE, phase: 'ready' }];
  const ready: Partial<Verdict> = { status: 'ready', cause: null, final: true, at: '2025-05-06T08:18:54.000Z' };
  const { content } = eventOf({ ...ready, timeline, uptimeSeconds: 204 }, LAST);
  assert.deepEqual([content['BootToReadySeconds'], content['PhaseReadySeconds']], [44, 14]);
  assert.equal(eventOf({ ...ready, timeline: [], uptimeSeconds: 204 }, LAST).content['BootToReadySeconds'], 204);
  assert.equal(eventOf({ ...ready, uptimeSeconds: null }, LAST).content['BootToReadySeconds'], undefined);
});

test('only a node that is Ready has a time to Ready', () => {
  for (const status of ['bootstrapping', 'stalled', 'failed', 'unknown'] as const)
    assert.equal(eventOf({ status, final: true }, LAST).content['BootToReadySeconds'], undefined);
});

test('neither an instant nor what failed or goes on has a time', () => {
  const timeline = [
    { ...PHASE, phase: 'instant', seconds: 0 },
    { ...PHASE, phase: 'failed', state: 'failed' as const },
    { ...PHASE, phase: 'running', state: 'running' as const },
    { ...PHASE, phase: 'boot-to-ready', seconds: 3 },
  ];
  const { content } = eventOf({ status: 'ready', cause: null, final: true, timeline }, LAST);
  assert.deepEqual(
    Object.keys(content).filter((key) => key.startsWith('Phase')),
    ['PhaseBootToReadySeconds'],
  );
  assert.notEqual(content['BootToReadySeconds'], 3, 'no phase takes the name of the whole');
});

test('every phase of the pack has a metric of its own', () => {
  const names = readPack().phases.map(({ id }) => phaseMetric(id));
  assert.equal(new Set(names).size, names.length);
});

test('what a cluster with 10 pools and 15 causes has at most is what docs/deploy.md says', () => {
  const phases = readPack().phases.map(({ id }) => ({ ...PHASE, phase: id }));
  const seen = new Set<string>();
  const add = (text: string): void => {
    const content = JSON.parse(text) as Record<string, unknown>;
    for (const { Dimensions, Metrics } of directivesOf(content))
      for (const names of Dimensions)
        for (const { Name } of Metrics)
          seen.add([Name, ...names.map((name) => `${name}=${String(content[name])}`)].join());
  };
  for (let pool = 0; pool < 10; pool++) {
    const node = { ...FAILED.node, nodePool: `pool-${pool}` };
    const ready = { ...FAILED, node, status: 'ready', final: true, timeline: phases } as const;
    add(renderBootStarted(redacted({ ...FAILED, node }), 0).text);
    for (let number = 0; number < 15; number++) {
      const cause = { ...FAILED.cause!, id: `cause-${number}` };
      const counts = { ...NOTHING, cause: cause.id };
      add(eventOf({ node, cause }, { counts: { ...counts, seen: true } }).event.text);
      add(eventOf({ node, cause, final: true }, { counts: { ...counts, ended: true } }).event.text);
      add(eventOf({ ...ready, cause: null }, { counts: { ...counts, ended: true, recovered: true } }).event.text);
    }
  }
  const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
  const promised = /10 pools and 15 different causes has at most (?<metrics>\d+) metrics/.exec(page)?.groups;
  recordBar(
    fact(
      'metrics of a cluster with 10 pools and 15 causes, as docs/deploy.md says',
      String(promised?.['metrics']),
      String(seen.size),
    ),
  );
  assert.equal(String(seen.size), promised?.['metrics']);
});

test('names that are no dimension values become some', () => {
  for (const cluster of ['', '   ', '\u{1f600}', 'cl\nuster', 'x'.repeat(5000)])
    eventOf({ final: true, node: { ...FAILED.node, cluster, nodePool: cluster } }, LAST);
});

test('hundreds of phases keep to the number of metrics', () => {
  const timeline = Array.from({ length: 300 }, (_, index) => ({ ...FAILED.timeline[0]!, phase: `phase-${index}` }));
  const { content } = eventOf({ final: true, timeline }, LAST);
  assert.equal(directivesOf(content)[0]!.Metrics.length, 100);
});

test('what is cut is counted, and the least important goes first', () => {
  const evidence = Array.from({ length: 12 }, () => ({ ...FAILED.evidence[0]!, line: 'x'.repeat(4096) }));
  const probes = Array.from({ length: 200 }, (_, index) => ({
    ...FAILED.probes[0]!,
    outcome: index === 0 ? ('fail' as const) : ('ok' as const),
    bearing: null,
    facts: { path: 'y'.repeat(300) },
  }));
  const { content } = eventOf({ evidence, probes });
  assert.equal(content.cut?.['characters'], 12 * (4096 - 1024));
  assert.equal(content.verdict.evidence.length, 12);
  assert.equal(content.verdict.probes.length + Number(content.cut?.['probes']), 200);
  assert.equal(content.verdict.probes[0]?.outcome, 'fail');
  assert.deepEqual(Object.keys(content.cut ?? {}), ['characters', 'probes']);
});

test('half a command is never shown', () => {
  const remedy = [{ text: 'Do it.', command: `rm -rf /var/lib/${'x'.repeat(2000)}`, where: 'node' as const }];
  const { content } = eventOf({ cause: { ...FAILED.cause!, remedy, summary: 'z'.repeat(70_000) } });
  assert.deepEqual(content.verdict.cause?.remedy, [{ text: 'Do it.', command: null, where: 'node' }]);
});

test('whatever a verdict holds, it fits', () => {
  const bad = '\u0001"\\\u{1f600}é\ud800'.repeat(60);
  const many = <T>(item: T): T[] => Array.from({ length: 150 }, () => item);
  const node = Object.fromEntries(Object.keys(FAILED.node).map((key) => [key, bad])) as unknown as Verdict['node'];
  const { content } = eventOf(
    {
      final: true,
      cause: {
        id: bad,
        title: bad,
        confidence: 'high',
        possible: false,
        repair: 'fix-first' as const,
        summary: bad,
        check: many({ text: bad, command: bad, where: 'node' as const }),
        remedy: many({ text: bad, command: bad, where: 'node' as const }),
        references: many(bad),
      },
      otherCauses: many({ ...FAILED.otherCauses[0]!, title: bad }),
      symptoms: many({ ...FAILED.symptoms[0]!, title: bad }),
      recovered: many({ ...FAILED.recovered[0]!, title: bad }),
      timeline: many({ ...FAILED.timeline[0]!, title: bad }),
      evidence: many({ ...FAILED.evidence[0]!, line: bad }),
      probes: many({ ...FAILED.probes[0]!, facts: { [bad]: bad } }),
      notChecked: many({ what: bad, code: bad, detail: bad }),
      tool: { ...FAILED.tool, replaced: many(bad), added: many(bad), disabled: many(bad) },
      node,
    },
    LAST,
  );
  assert.equal(content.verdict.evidence.length, 1);
  assert.equal(content.cut?.['evidence'], 149);
});
