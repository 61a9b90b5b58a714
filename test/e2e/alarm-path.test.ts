// The alarm path, deployed to moto by CloudFormation (what moto knows of it) and by API (the alarms), checked by cfn-lint, and the module for Terraform held against it. Terraform and
// its provider cannot be had from package registries: its files are read by a parser of HCL (python-hcl2), and not planned.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { savedQueries } from '../../build/alarm-path.ts';
import { DIST, ROOT } from '../../build/project.ts';
import { type Moto, prepareMoto, startMoto } from './moto.ts';

const TEMPLATE = join(ROOT, 'deploy/alarm-path.yaml');
const MODULE = join(ROOT, 'deploy/terraform/main.tf');
const BIN = join(DIST, 'moto/bin');
const RUNBOOK = 'https://docs.example.com/causes.md';
const CAUSES = ['node-unauthorized', 'subnet-ip-exhausted'];
const LIMIT_MS = 120_000;
const PARAMETERS = {
  ClusterName: 'prod',
  Runbook: RUNBOOK,
  Email: 'oncall@example.com',
  RetentionDays: '90',
  Cause1: CAUSES[0]!,
  Cause2: CAUSES[1]!,
};

const DEFAULTS = { FailingPercent: '20', FailingAtLeast: '3' };

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly MetricName?: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
  readonly Threshold: number;
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly TreatMissingData: string;
  readonly ComparisonOperator: string;
  readonly AlarmActions: readonly string[];
  readonly Metrics: readonly {
    readonly Id: string;
    readonly Expression?: string;
    readonly MetricStat?: {
      readonly Stat: string;
      readonly Period: number;
      readonly Metric: { readonly MetricName: string };
    };
  }[];
}

const run = promisify(execFile);
const missing = await prepareMoto();

describe('alarm path', { skip: missing ?? false }, () => {
  let moto: Moto;
  const cleanups: (() => void)[] = [];
  before(async () => void (moto = await startMoto({ after: (cleanup: () => void) => void cleanups.push(cleanup) })));
  after(() => cleanups.forEach((cleanup) => cleanup()));

  test('cfn-lint has nothing to say', async () => {
    const { stdout } = await run(join(BIN, 'cfn-lint'), [TEMPLATE], { timeout: LIMIT_MS });
    assert.equal(stdout, '');
  });

  test('deployed, it makes group, topic with its subscriber, and dashboard', async () => {
    const parameters = Object.entries(PARAMETERS).map(([key, value]) => `ParameterKey=${key},ParameterValue=${value}`);
    const body = readFileSync(TEMPLATE, 'utf8');
    await moto.cli(
      'cloudformation',
      'create-stack',
      '--stack-name',
      'boots',
      '--template-body',
      body,
      '--parameters',
      ...parameters,
    );
    const { Stacks } = (await moto.cli('cloudformation', 'describe-stacks')) as {
      Stacks: { StackStatus: string; Outputs: { OutputKey: string; OutputValue: string }[] }[];
    };
    const [stack] = Stacks;
    assert.equal(stack?.StackStatus, 'CREATE_COMPLETE');
    const { logGroups } = (await moto.cli('logs', 'describe-log-groups')) as {
      logGroups: { logGroupName: string; retentionInDays: number }[];
    };
    assert.deepEqual(
      logGroups.map(({ logGroupName, retentionInDays }) => [logGroupName, retentionInDays]),
      [['/eks/bootstrap-analyzer/prod', 90]],
    );
    const { Subscriptions } = (await moto.cli('sns', 'list-subscriptions')) as {
      Subscriptions: { TopicArn: string; Endpoint: string }[];
    };
    const topic = stack.Outputs.find(({ OutputKey }) => OutputKey === 'TopicArn')!.OutputValue;
    assert.deepEqual(
      Subscriptions.map(({ TopicArn, Endpoint }) => [TopicArn, Endpoint]),
      [[topic, PARAMETERS.Email]],
    );
    const { DashboardBody } = (await moto.cli(
      'cloudwatch',
      'get-dashboard',
      '--dashboard-name',
      'eks-bootstrap-prod',
    )) as {
      DashboardBody: string;
    };
    const { variables, widgets } = JSON.parse(DashboardBody) as {
      variables: { defaultValue: string }[];
      widgets: { properties: { region: string } }[];
    };
    assert.deepEqual(
      [variables[0]?.defaultValue, new Set(widgets.map(({ properties }) => properties.region))],
      ['prod', new Set(['us-west-2'])],
    );
  });

  // moto's CloudFormation knows no alarms: they are put by the API that CloudFormation would call, with the template's own
  // properties, so that the AWS CLI's model of that API judges them. Saved queries it knows by no way.
  test('the alarms of the template are taken as they stand, and Terraform makes the same alarms and queries', async () => {
    const { Resources } = resolvedTemplate({ ...DEFAULTS, ...PARAMETERS });
    const topic = 'arn:aws:sns:us-west-2:123456789012:boots';
    for (const { Type, Properties, Condition = '' } of Object.values(Resources)) {
      const cause = /^HasCause(?<number>\d)$/.exec(Condition)?.groups?.['number'];
      if (cause !== undefined && !(`Cause${cause}` in PARAMETERS)) continue;
      const input = JSON.stringify(Properties).replaceAll('"Topic"', JSON.stringify(topic));
      if (Type === 'AWS::CloudWatch::Alarm')
        await moto.cli('cloudwatch', 'put-metric-alarm', '--cli-input-json', numbers(input));
    }
    const { MetricAlarms: alarms } = (await moto.cli('cloudwatch', 'describe-alarms')) as { MetricAlarms: Alarm[] };
    assert.deepEqual(
      alarms.map(({ AlarmName }) => AlarmName).toSorted(),
      ['failing-share', 'no-verdicts', ...CAUSES].map((name) => `eks-bootstrap-prod-${name}`).toSorted(),
    );
    for (const { AlarmActions, TreatMissingData } of alarms)
      assert.deepEqual([AlarmActions, TreatMissingData], [[topic], 'notBreaching']);
    const ofCause = alarms.find(({ AlarmName }) => AlarmName.endsWith(CAUSES[0]!))!;
    const dimensions = ofCause.Dimensions.map(({ Name, Value }) => `${Name}=${Value}`).toSorted();
    assert.ok(ofCause.AlarmDescription.endsWith(`Runbook: ${RUNBOOK}#${CAUSES[0]}`), ofCause.AlarmDescription);
    assert.deepEqual([ofCause.MetricName, dimensions], ['FailureSeen', [`Cause=${CAUSES[0]}`, 'Cluster=prod']]);
    assert.deepEqual(alarms.map(essence).toSorted(byName), (await alarmsOfModule()).toSorted(byName));
    const saved = Object.values(Resources).flatMap(({ Type, Properties: { Name: name, QueryString: query } }) =>
      Type === 'AWS::Logs::QueryDefinition' ? [[String(name).replace('eks-bootstrap/prod/', ''), query]] : [],
    );
    assert.deepEqual(Object.fromEntries(saved), savedQueries());
    assert.deepEqual(JSON.parse(readFileSync(join(ROOT, 'deploy/terraform/queries.json'), 'utf8')), savedQueries());
  });

  test('the module for Terraform declares what it uses, and uses what it declares', async () => {
    const text = readFileSync(MODULE, 'utf8');
    const { variable, resource } = await parsedModule();
    const used = new Set([...text.matchAll(/\bvar\.(?<name>\w+)/g)].map(({ groups }) => groups!['name']!));
    assert.deepEqual(used, new Set(variable.flatMap((each) => Object.keys(each).map(bare))));
    const made = new Set(
      resource.flatMap((each) =>
        Object.entries(each).flatMap(([type, names]) =>
          Object.keys(names as object).map((name) => `${bare(type)}.${bare(name)}`),
        ),
      ),
    );
    for (const { groups } of text.matchAll(/(?<=[[ {=])(?<name>aws_\w+\.\w+)\./g))
      assert.ok(made.has(groups!['name']!), groups!['name']);
    assert.equal(made.size, 9);
  });
});

interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      { readonly Type: string; readonly Condition?: string; readonly Properties: Readonly<Record<string, unknown>> }
    >
  >;
}

/** `!Sub` and `!Ref` of parameters filled in; a reference to a resource stays its name. */
function resolvedTemplate(parameters: Readonly<Record<string, string>>): Template {
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(?<name>\w+)\}/g, (all, name: string) => parameters[name] ?? all);
  const customTags = ['!Not', '!Equals', '!If'].map((tag) => ({
    tag,
    collection: 'seq' as const,
    resolve: (list: { toJSON(): unknown }) => list.toJSON(),
  }));
  const scalars = [
    { tag: '!Sub', resolve: filled },
    { tag: '!Ref', resolve: (name: string) => parameters[name] ?? name },
  ];
  return parse(readFileSync(TEMPLATE, 'utf8'), { customTags: [...customTags, ...scalars] as never }) as Template;
}

/** What comes of a parameter is a text until then. */
function numbers(json: string): string {
  return json.replaceAll(/"Threshold":"(?<number>\d+)"/g, '"Threshold":$<number>');
}

interface Module {
  readonly variable: readonly Readonly<Record<string, unknown>>[];
  readonly resource: readonly Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>[];
}

async function parsedModule(): Promise<Module> {
  const script = 'import hcl2, json, sys; print(json.dumps(hcl2.load(open(sys.argv[1]))))';
  const { stdout } = await run(join(BIN, 'python'), ['-c', script, MODULE], { timeout: LIMIT_MS });
  return JSON.parse(stdout) as Module;
}

/** What an alarm does, one line each; its name and description as the module fills them in. */
function essence(alarm: Alarm): readonly unknown[] {
  const math = alarm.Metrics ?? [];
  return [
    alarm.AlarmName,
    alarm.AlarmDescription,
    alarm.ComparisonOperator,
    alarm.Threshold,
    alarm.EvaluationPeriods,
    alarm.MetricName ?? null,
    alarm.Period ?? null,
    math.map(({ Id, Expression, MetricStat: stat }) => [
      Id,
      Expression ?? [stat!.Metric.MetricName, stat!.Stat, stat!.Period],
    ]),
  ];
}

async function alarmsOfModule(): Promise<readonly (readonly unknown[])[]> {
  const { resource } = await parsedModule();
  const alarms = resource.flatMap((each) =>
    Object.entries(each).flatMap(([type, named]) =>
      bare(type) === 'aws_cloudwatch_metric_alarm' ? Object.values(named) : [],
    ),
  );
  return alarms.flatMap((alarm) =>
    (alarm['for_each'] === undefined ? [''] : CAUSES).map((cause) => {
      const filled = (value: unknown): string => fill(bare(String(value)), cause);
      const math = ((alarm['metric_query'] ?? []) as Record<string, unknown>[]).map((query) => {
        const [metric] = (query['metric'] ?? []) as Record<string, unknown>[];
        const asked =
          metric === undefined
            ? filled(query['expression'])
            : [filled(metric['metric_name']), filled(metric['stat']), metric['period']];
        return [filled(query['id']), asked];
      });
      return [
        filled(alarm['alarm_name']),
        filled(alarm['alarm_description']),
        filled(alarm['comparison_operator']),
        Number(filled(alarm['threshold'])),
        alarm['evaluation_periods'],
        alarm['metric_name'] === undefined ? null : filled(alarm['metric_name']),
        alarm['period'] ?? null,
        math,
      ];
    }),
  );
}

/** The parameters that the stack has, in the module's names. */
function fill(text: string, cause: string): string {
  const values: Readonly<Record<string, string>> = {
    'var.cluster': 'prod',
    'var.runbook': RUNBOOK,
    'var.failing_percent': '20',
    'var.failing_at_least': '3',
    'each.value': cause,
  };
  return text.replaceAll(/\$\{(?<name>[\w.]+)\}/g, (all, name: string) => values[name] ?? all);
}

/** Some releases of the parser keep the quotes. */
function bare(text: string): string {
  return text.replace(/^"(?<inner>[^]*)"$/, '$<inner>');
}

function byName(a: readonly unknown[], b: readonly unknown[]): number {
  return String(a[0]) < String(b[0]) ? -1 : 1;
}
