import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type EventContext, renderCloudWatchEvent } from '../../src/render/cloudwatch-event.ts';
import type { Verdict } from '../../src/types.ts';
import { FAILED, redacted } from './verdicts.ts';

const CONTEXT: EventContext = { nowMs: Date.UTC(2025, 4, 6, 9), wasReadyBefore: false };
const MAX_BYTES = 64 * 1024;

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html */
const EMF_SCHEMA = {
  type: 'object',
  required: ['_aws'],
  properties: {
    _aws: {
      type: 'object',
      required: ['Timestamp', 'CloudWatchMetrics'],
      properties: {
        Timestamp: { type: 'integer' },
        CloudWatchMetrics: {
          type: 'array',
          items: {
            type: 'object',
            required: ['Namespace', 'Dimensions', 'Metrics'],
            properties: {
              Namespace: { type: 'string', pattern: '^(.*)$', minLength: 1, maxLength: 1024 },
              Dimensions: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'array',
                  minItems: 0,
                  maxItems: 30,
                  items: { type: 'string', pattern: '^(.*)$', minLength: 1, maxLength: 250 },
                },
              },
              Metrics: {
                type: 'array',
                maxItems: 100,
                items: {
                  type: 'object',
                  required: ['Name'],
                  properties: {
                    Name: { type: 'string', pattern: '^(.*)$', minLength: 1, maxLength: 1024 },
                    Unit: { enum: ['Seconds', 'Count'] },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(EMF_SCHEMA);

interface Metrics {
  readonly CloudWatchMetrics: readonly [
    { readonly Dimensions: readonly string[][]; readonly Metrics: readonly { readonly Name: string }[] },
  ];
  readonly Timestamp: number;
}

interface Content extends Record<string, unknown> {
  readonly verdict: Verdict;
  readonly cut?: Record<string, number>;
  readonly _aws?: Metrics;
}

function eventOf(change: Partial<Verdict>, context: Partial<EventContext> = {}) {
  const event = renderCloudWatchEvent(redacted({ ...FAILED, ...change }), { ...CONTEXT, ...context });
  const content = JSON.parse(event.text) as Content;
  assert.ok(Buffer.byteLength(event.text) <= MAX_BYTES - 128, 'room for the two times of a wrong clock');
  const { _aws: metrics } = content;
  if (metrics !== undefined) assertMetrics(content, metrics);
  return { event, content, metrics };
}

/** What the schema cannot say: every name stands at the root, with a value that CloudWatch takes. */
function assertMetrics(content: Content, { CloudWatchMetrics: directives }: Metrics): void {
  validate(content);
  assert.deepEqual(validate.errors, null);
  for (const { Dimensions, Metrics } of directives) {
    assert.deepEqual(
      Dimensions.flat().filter((name) => !/^(?=.*\S)[\x20-\x7e]{1,1024}$/.test(String(content[name]))),
      [],
    );
    assert.deepEqual(
      Metrics.filter(({ Name }) => !Number.isFinite(content[Name])),
      [],
    );
  }
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

test('the verdict is whole, but for what already stands before it', () => {
  const { id: _id, status: _status, final: _final, ...rest } = FAILED;
  assert.deepEqual(eventOf({}).content.verdict, rest);
});

test('a verdict without a time is dated now', () => {
  assert.equal(eventOf({ at: null }).event.atMs, CONTEXT.nowMs);
});

test('only the last event of a boot is measured, and not that of a reboot', () => {
  assert.equal(eventOf({ final: false }).metrics, undefined);
  assert.equal(eventOf({ final: true }, { wasReadyBefore: true }).metrics, undefined);
  const { content, metrics } = eventOf({ final: true });
  assert.equal(metrics?.Timestamp, Date.parse(FAILED.at!));
  assert.deepEqual(metrics?.CloudWatchMetrics, [
    {
      Namespace: 'EKS/NodeBootstrap',
      Dimensions: [['Cluster'], ['Cluster', 'Cause'], ['Cluster', 'NodePool']],
      Metrics: [
        { Name: 'BootstrapFailure', Unit: 'Count' },
        { Name: 'BootstrapSeconds', Unit: 'Seconds' },
        { Name: 'CloudInitSeconds', Unit: 'Seconds' },
      ],
    },
  ]);
  const { Cluster, Cause, NodePool, BootstrapFailure, BootstrapSeconds, CloudInitSeconds } = content;
  assert.deepEqual(
    [Cluster, Cause, NodePool, BootstrapFailure, BootstrapSeconds, CloudInitSeconds],
    ['shop-staging', 'swap-enabled', 'unknown', 1, 204, 5],
  );
});

test('a node that still gets on at the deadline is no failure', () => {
  const seen = (['ready', 'bootstrapping', 'stalled', 'failed', 'unknown'] as const).map((status) => {
    const { content } = eventOf({ status, final: true, cause: status === 'failed' ? FAILED.cause : null });
    return [status, content['BootstrapFailure'], content['Cause']];
  });
  assert.deepEqual(seen, [
    ['ready', 0, 'none'],
    ['bootstrapping', 0, 'unknown'],
    ['stalled', 1, 'unknown'],
    ['failed', 1, 'swap-enabled'],
    ['unknown', 1, 'unknown'],
  ]);
});

test('the time to Ready ends at Ready, not when the verdict is made', () => {
  const timeline = [
    { phase: 'ready', title: 'Ready', state: 'finished' as const, startedAt: '2025-05-06T08:16:00.000Z', seconds: 14 },
  ];
  const { content } = eventOf({
    status: 'ready',
    cause: null,
    final: true,
    timeline,
    at: '2025-05-06T08:18:54.000Z',
    uptimeSeconds: 204,
  });
  assert.deepEqual([content['bootstrapSeconds'], content['ReadySeconds']], [44, 14]);
  assert.equal(
    eventOf({ status: 'ready', cause: null, timeline: [], uptimeSeconds: 204 }).content['bootstrapSeconds'],
    204,
  );
});

test('an unknown time of boot is not measured', () => {
  const { content, metrics } = eventOf({ final: true, uptimeSeconds: null });
  assert.equal(content['bootstrapSeconds'], null);
  assert.deepEqual(
    metrics?.CloudWatchMetrics[0].Metrics.map(({ Name }) => Name),
    ['BootstrapFailure', 'CloudInitSeconds'],
  );
});

test('names that are no dimension values become some', () => {
  for (const cluster of ['', '   ', '\u{1f600}', 'cl\nuster', 'x'.repeat(5000)])
    eventOf({ final: true, node: { ...FAILED.node, cluster, nodePool: cluster } });
});

test('hundreds of phases keep to the number of metrics', () => {
  const timeline = Array.from({ length: 300 }, (_, index) => ({ ...FAILED.timeline[0]!, phase: `phase-${index}` }));
  assert.equal(eventOf({ final: true, timeline }).metrics?.CloudWatchMetrics[0].Metrics.length, 100);
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
  const { content } = eventOf({
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
  });
  assert.equal(content.verdict.evidence.length, 1);
  assert.equal(content.cut?.['evidence'], 149);
});
