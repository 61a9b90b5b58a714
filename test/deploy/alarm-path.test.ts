// The template of the alarm path against what is counted and documented. cfn-lint, its deployment and Terraform: test/e2e/alarm-path.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from '../../build/project.ts';
import { renderBootStarted, renderCloudWatchEvent } from '../../src/render/cloudwatch/cloudwatch-event.ts';
import { defaultLogGroup } from '../../src/sinks/cloudwatch/names.ts';
import type { Counts } from '../../src/types.ts';
import { FAILED, redacted } from '../render/verdicts.ts';

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly Namespace: string;
  readonly MetricName?: string;
  readonly Dimensions: readonly { readonly Name: string }[];
}

const TAGS = ['!Sub', '!Ref', '!Not', '!Equals', '!If'].flatMap((tag) => [
  { tag, resolve: (text: string) => text },
  { tag, collection: 'seq' as const, resolve: (list: { toJSON(): unknown }) => list.toJSON() },
]);
const text = readFileSync(join(ROOT, 'deploy/alarm-path.yaml'), 'utf8');
const template = parse(text, { customTags: TAGS as never }) as {
  readonly Resources: Readonly<Record<string, Resource>>;
};
const resources = Object.values(template.Resources);

/** `Metric Dimension,Dimension` of all that events count. */
function counted(): ReadonlySet<string> {
  const counts: Counts = { started: true, seen: true, ended: true, recovered: true, cause: FAILED.cause!.id };
  const events = [
    renderCloudWatchEvent(redacted({ ...FAILED, final: true }), { nowMs: 0, counts }),
    renderBootStarted(redacted(FAILED), 0),
  ];
  return new Set(
    events.flatMap(({ text: event }) => {
      const { _aws: metrics } = JSON.parse(event) as {
        _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };
      };
      return metrics.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
        Dimensions.flatMap((names) => Metrics.map(({ Name }) => `${Namespace} ${Name} ${names.join()}`)),
      );
    }),
  );
}

test('every alarm asks for a metric that events carry, under dimensions that they have', () => {
  const known = counted();
  const alarms = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
  const asked = alarms.flatMap(({ Properties }): Asked[] => {
    const math = (Properties['Metrics'] ?? []) as { MetricStat?: { Metric: Asked } }[];
    const all = [Properties as unknown as Asked, ...math.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])];
    return all.filter(({ MetricName }) => MetricName !== undefined);
  });
  const names = asked.map(
    ({ Namespace, MetricName, Dimensions }) =>
      `${Namespace} ${MetricName} ${Dimensions.map(({ Name }) => Name).join()}`,
  );
  assert.equal(names.length, 4 + 5);
  for (const name of names) assert.ok(known.has(name), name);
});

test('alarms are told to the topic, missing data is no failure, and their text leads to the runbook of the cause', () => {
  const anchors = readFileSync(join(ROOT, 'docs/causes.md'), 'utf8');
  assert.ok(anchors.includes('<a id="node-unauthorized"></a>'));
  for (const { Type, Properties } of resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')) {
    assert.deepEqual([Properties['AlarmActions'], Properties['TreatMissingData']], [['Topic'], 'notBreaching'], Type);
    assert.match(String(Properties['AlarmDescription']), /\$\{Runbook\}/);
    if (Properties['MetricName'] === 'FailureSeen')
      assert.match(String(Properties['AlarmDescription']), /\$\{Runbook\}#\$\{(?<cause>Cause\d)\}$/);
  }
});

test('the group is the one that verdicts go to, kept when the stack goes', () => {
  const { Verdicts } = template.Resources as Record<string, Resource & { DeletionPolicy: string }>;
  assert.equal(String(Verdicts!.Properties['LogGroupName']).replace('${ClusterName}', 'prod'), defaultLogGroup('prod'));
  assert.equal(Verdicts!.DeletionPolicy, 'Retain');
});

test('the dashboard has the cluster as a variable, and nothing of it is left to fill in', () => {
  const body = String(template.Resources['Dashboard']!.Properties['DashboardBody']);
  const filled = body.replaceAll('${AWS::Region}', 'eu-west-1').replaceAll('${ClusterName}', 'prod');
  const { variables } = JSON.parse(filled) as { variables: { pattern: string; defaultValue: string }[] };
  assert.deepEqual(
    [variables[0]?.pattern, variables[0]?.defaultValue, filled.includes('${')],
    ['CLUSTER', 'prod', false],
  );
  assert.ok(body.split('CLUSTER').length > 6, 'widgets go by the variable');
});
