import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { renderCloudWatchEvent } from '../../src/render/cloudwatch/cloudwatch-event.ts';
import { defaultLogGroup } from '../../src/sinks/cloudwatch/names.ts';
import type { Counts } from '../../src/types.ts';
import { FAILED, redacted } from '../render/verdicts.ts';

const read = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');
const nothing: Counts = { started: false, seen: false, ended: false, recovered: false, cause: null };
const { text } = renderCloudWatchEvent(redacted({ ...FAILED, final: true }), {
  nowMs: 0,
  counts: { ...nothing, seen: true, ended: true, cause: FAILED.cause!.id },
});
const event = JSON.parse(text) as Record<string, unknown>;

interface Widget {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: { readonly query?: string; readonly metrics?: readonly [{ readonly expression: string }][] };
}
const { widgets } = JSON.parse(read('cloudwatch-dashboard.json')) as { widgets: readonly Widget[] };

/** Each as its commands; without the SOURCE of a dashboard. */
const queries = [
  ...[...read('cloudwatch-queries.md').matchAll(/^```\n(?<query>[\s\S]*?)^```$/gm)].map(
    ({ groups }) => groups!['query']!,
  ),
  ...widgets.flatMap(({ properties }) => properties.query ?? []),
].map((query) =>
  query
    .split(/\s*(?<!\|)\|(?!\|)\s*/)
    .map((command) => command.trim())
    .filter((command) => !command.startsWith('SOURCE ')),
);

test('every query counts an id once', () => {
  assert.ok(queries.length >= 8);
  for (const commands of queries) {
    const dedup = commands.indexOf('dedup id');
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Dedup.html: only limit may follow.
    const isDeduplicated = dedup !== -1 && commands.slice(dedup + 1).every((command) => command.startsWith('limit '));
    const isGroupedById = commands.some(
      (command) => /^stats .* by id$/.test(command) || command.includes('count_distinct(id)'),
    );
    assert.ok(isDeduplicated || isGroupedById, commands.join(' | '));
  }
});

test('every field of a query stands in the event', () => {
  const known = [...Object.keys(event), 'nodeTime', 'serviceTime'];
  for (const commands of queries) {
    const names = [...commands[0]!.replace(/^fields /, '').matchAll(/(?:^|, )(?<name>[a-zA-Z][\w.]*)(?=,|$)/g)].map(
      ({ groups }) => groups!['name']!,
    );
    const inCalls = [...commands.join(' ').matchAll(/(?:latest|min|ispresent)\((?<name>\w+)\)/g)].map(
      ({ groups }) => groups!['name']!,
    );
    for (const name of [...names, ...inCalls]) {
      const [first, ...deeper] = name.split('.');
      assert.ok(known.includes(first!), name);
      if (deeper.length > 0)
        assert.notEqual(
          deeper.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], event[first!]),
          undefined,
          name,
        );
    }
  }
});

test('the mark of a last verdict is as it is written, and no evidence can forge it', () => {
  const mark = /"final":true/;
  assert.match(text, mark);
  const forged = { ...FAILED, evidence: [{ ...FAILED.evidence[0]!, line: 'kubelet: {"final":true}' }] };
  assert.doesNotMatch(renderCloudWatchEvent(redacted(forged), { nowMs: 0, counts: null }).text, mark);
});

test('every metric of the dashboard is one of the events, in a set of dimensions that it has there', () => {
  const ready = renderCloudWatchEvent(redacted({ ...FAILED, status: 'ready', cause: null, final: true }), {
    nowMs: 0,
    counts: { ...nothing, ended: true },
  });
  const known = [text, ready.text].flatMap((event) => {
    const { _aws: metrics } = JSON.parse(event) as {
      _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] };
    };
    return metrics.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
      Dimensions.flatMap((names) => Metrics.map(({ Name }) => `${[Namespace, ...names].join(',')} ${Name}`)),
    );
  });
  const expressions = widgets
    .flatMap(({ properties }) => properties.metrics ?? [])
    .map(([{ expression }]) => expression);
  for (const expression of expressions) {
    const set = /\{(?<set>[^}]+)\}/.exec(expression)?.groups?.['set'];
    const name = /MetricName="(?<name>\w+)"/.exec(expression)?.groups?.['name'];
    assert.ok(known.includes(`${set} ${name}`), expression);
  }
});

test('no widget lies on another, and none leaves the grid', () => {
  for (const widget of widgets) {
    assert.ok(widget.x + widget.width <= 24);
    const others = widgets.filter((other) => other !== widget);
    assert.ok(
      others.every(
        (other) =>
          other.x >= widget.x + widget.width ||
          widget.x >= other.x + other.width ||
          other.y >= widget.y + widget.height ||
          widget.y >= other.y + other.height,
      ),
    );
  }
});

interface Policy {
  readonly Statement: readonly { readonly Action: readonly string[]; readonly Resource: string | readonly string[] }[];
}

function policy(file: string): Policy['Statement'] {
  const values: Readonly<Record<string, string>> = {
    PARTITION: 'aws-cn',
    REGION: 'cn-north-1',
    ACCOUNT: '111122223333',
    CLUSTER: 'prod',
  };
  return (JSON.parse(read(file).replaceAll(/\$\{(?<name>[A-Z]+)\}/g, (_all, name: string) => values[name]!)) as Policy)
    .Statement;
}

test('the policies allow the calls that are made, each on the group of one cluster in one account', () => {
  const client = readFileSync(join(ROOT, 'src/sinks/cloudwatch/client.ts'), 'utf8');
  const called = [...client.matchAll(/new (?<name>\w+)Command\(/g)].map(({ groups }) => `logs:${groups!['name']}`);
  const [ship, create] = [policy('iam-policy.json'), policy('iam-policy-create-group.json')];
  const statements = [...ship, ...create];
  assert.deepEqual(statements.flatMap(({ Action }) => Action).toSorted(), called.toSorted());
  const group = `arn:aws-cn:logs:cn-north-1:111122223333:log-group:${defaultLogGroup('prod')}`;
  for (const resource of statements.flatMap(({ Resource }) => Resource))
    assert.ok([group, `${group}:*`].includes(resource), resource);
  for (const { Action } of ship)
    assert.ok(!Action.some((action) => /Group|Retention/.test(action)), 'making groups is a policy of its own');
});
