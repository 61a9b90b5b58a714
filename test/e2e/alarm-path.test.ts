// The alarm path, deployed to moto by CloudFormation, checked by cfn-lint, and the module for Terraform held against it. Terraform and
// its provider cannot be had from package registries: its files are read by a parser of HCL (python-hcl2), and not planned.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
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

  test('deployed, it makes group, topic, alarms with the runbook of the cause, and dashboard; Terraform says the same', async () => {
    const parameters = Object.entries(PARAMETERS).map(([key, value]) => `ParameterKey=${key},ParameterValue=${value}`);
    await moto.cli(
      'cloudformation',
      'create-stack',
      '--stack-name',
      'boots',
      '--template-body',
      readFileSync(TEMPLATE, 'utf8'),
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
    const { MetricAlarms: alarms } = (await moto.cli('cloudwatch', 'describe-alarms')) as { MetricAlarms: Alarm[] };
    assert.deepEqual(
      alarms.map(({ AlarmName }) => AlarmName).toSorted(),
      ['failing-share', 'no-verdicts', ...CAUSES].map((name) => `eks-bootstrap-prod-${name}`).toSorted(),
    );
    for (const { AlarmActions, TreatMissingData } of alarms)
      assert.deepEqual([AlarmActions, TreatMissingData], [[topic], 'notBreaching']);
    const ofCause = alarms.find(({ AlarmName }) => AlarmName.endsWith(CAUSES[0]!))!;
    assert.deepEqual(
      [ofCause.AlarmDescription.endsWith(`Runbook: ${RUNBOOK}#${CAUSES[0]}`), ofCause.MetricName, ofCause.Dimensions],
      [
        true,
        'FailureSeen',
        [
          { Name: 'Cluster', Value: 'prod' },
          { Name: 'Cause', Value: CAUSES[0] },
        ],
      ],
    );
    assert.deepEqual(alarms.map(essence).toSorted(byName), (await alarmsOfModule()).toSorted(byName));
  });

  test('what moto does not make of a stack, queries and dashboard, is taken by its API as it stands', async () => {
    const body = readFileSync(join(ROOT, 'deploy/cloudwatch-dashboard.json'), 'utf8').replaceAll('REGION', 'us-west-2');
    await moto.cli('cloudwatch', 'put-dashboard', '--dashboard-name', 'boots', '--dashboard-body', body);
    const { DashboardBody } = (await moto.cli('cloudwatch', 'get-dashboard', '--dashboard-name', 'boots')) as {
      DashboardBody: string;
    };
    assert.deepEqual(JSON.parse(DashboardBody), JSON.parse(body));
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
