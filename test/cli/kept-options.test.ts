import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { canBeKept, ENVIRONMENT_FILE, keptOptions, variableOf } from '../../src/kept-options.ts';
import { OperatorError } from '../../src/operator-error.ts';
import { OPTIONS } from '../../src/options.ts';
import { parseArguments, type Settings } from '../../src/parse-arguments.ts';
import { scriptedNode } from '../commands/scripted-node.ts';

const BECOMES_READY = [
  'I0506 08:00:30.679431    3055 kubelet_node_status.go:76] "Successfully registered node" node="ip-10-0-1-17"',
  'I0506 08:00:40.247896    3055 kubelet_node_status.go:687] "Recording event message for node" node="ip-10-0-1-17" event="NodeReady"',
];
const P = 'EKS_BOOTSTRAP_ANALYZER_';

function settingsOf(text: string | null, args = ['watch'], env: Readonly<Record<string, string>> = {}): Settings {
  const invocation = parseArguments(args, keptOptions(env, text));
  assert.equal(invocation.kind, 'command');
  return invocation.settings;
}

function complaintOf(text: string | null, args = ['watch'], env: Readonly<Record<string, string>> = {}): string {
  try {
    settingsOf(text, args, env);
  } catch (error) {
    assert.ok(error instanceof OperatorError && error.exitCode === 2, String(error));
    return error.message;
  }
  return 'none';
}

test('a file says what arguments say, in any form that systemd reads too', () => {
  const text =
    `# ours\n; also\n\n ${P}LOG_GROUP = x\n`.replace(' = x', '="/eks/boot"') +
    `${P}DEADLINE='10m'\r\n${P}CREATE_LOG_GROUP=true\n${P}RETENTION_DAYS=30\n${P}REDACT_IDENTIFIERS=no\nHTTPS_PROXY=http://u:p@x:1\n`;
  assert.deepEqual(
    settingsOf(text),
    settingsOf(null, ['watch', '--log-group=/eks/boot', '--deadline=10m', '--create-log-group', '--retention-days=30']),
  );
});

test('an argument counts before a variable, a variable before the file, and the last line of a name', () => {
  const text = `${P}DEADLINE=1m\n${P}DEADLINE=2m\n${P}LOG_GROUP=file\n${P}PROBE=none\n${P}REDACT_IDENTIFIERS=true\n`;
  const env = { [`${P}LOG_GROUP`]: 'variable', [`${P}PROBE`]: 'all', [`${P}REDACT_IDENTIFIERS`]: 'false', OTHER: 'x' };
  const { deadlineMs, logGroup, probe, redactIdentifiers } = settingsOf(text, ['watch', '--probe=auto'], env);
  assert.deepEqual(
    { deadlineMs, logGroup, probe, redactIdentifiers },
    { deadlineMs: 120_000, logGroup: 'variable', probe: 'auto', redactIdentifiers: false },
  );
});

test('diagnose takes what is its own, and a kept log group does not make it deliver', () => {
  const { logGroup, deliver, deadlineMs } = settingsOf(`${P}LOG_GROUP=/x\n${P}DEADLINE=1m\n`, ['diagnose']);
  assert.deepEqual([logGroup, deliver, deadlineMs], ['/x', null, 720_000]);
  assert.match(
    complaintOf(null, ['diagnose', '--log-group=/x']),
    /^--log-group and --create-log-group need --deliver all/,
  );
});

const FAULTS: readonly (readonly [text: string, says: string])[] = [
  [`\n${P}DEADLINE=soon`, `${ENVIRONMENT_FILE}:2: ${P}DEADLINE cannot be "soon": it is a duration up to 24h`],
  [`${P}DELIVER=some`, `${ENVIRONMENT_FILE}:1: ${P}DELIVER cannot be "some": it is all or local or none`],
  [`${P}LOG_GROUP=a b`, `${ENVIRONMENT_FILE}:1: ${P}LOG_GROUP cannot be "a b"`],
  [`${P}RETENTION_DAYS=31\n${P}CREATE_LOG_GROUP=1`, `${ENVIRONMENT_FILE}:1: ${P}RETENTION_DAYS cannot be "31"`],
  [`${P}CREATE_LOG_GROUP=maybe`, `${ENVIRONMENT_FILE}:1: ${P}CREATE_LOG_GROUP cannot be "maybe": it is true or false`],
  [`${P}LOGGROUP=/x`, `${ENVIRONMENT_FILE}:1: ${P}LOGGROUP is no option that can be kept. Did you mean ${P}LOG_GROUP?`],
  [`${P}OUTPUT=/x`, `${ENVIRONMENT_FILE}:1: ${P}OUTPUT is no option that can be kept`],
  [`x=1\nexport ${P}DEADLINE=1m`, `${ENVIRONMENT_FILE}:2: this is no line NAME=value`],
  [`${P}LOG_GROUP="/x`, `${ENVIRONMENT_FILE}:1: ${P}LOG_GROUP has a quote or a backslash where none can be`],
];
for (const [text, says] of FAULTS)
  test(`a fault is named with its place: ${says.slice(ENVIRONMENT_FILE.length)}`, () => {
    assert.ok(complaintOf(text).startsWith(says), complaintOf(text));
  });

test('a wrong variable that systemd took from the file is named by its line, another one as a variable', () => {
  const env = { [`${P}DEADLINE`]: 'soon' };
  assert.match(complaintOf(`\n${P}DEADLINE=soon\n`, ['watch'], env), /^\/etc\/\S+environment:2: EKS_/);
  assert.match(
    complaintOf(`${P}DEADLINE=1m\n`, ['watch'], env),
    /^environment: EKS_BOOTSTRAP_ANALYZER_DEADLINE cannot be "soon"/,
  );
  assert.equal(complaintOf(`${P}DEADLINE=soon\n`, ['watch', '--deadline=1m']), 'none');
});

test('each option of watch has a variable of its own, and no other option has one', () => {
  const variables = OPTIONS.filter(canBeKept).map(variableOf);
  assert.equal(new Set(variables).size, variables.length);
  assert.ok(variables.length >= 10, variables.join());
  assert.ok(
    !OPTIONS.filter(canBeKept).some(({ name }) => ['root', 'output', 'help', 'version', 'quiet'].includes(name)),
  );
});

test('the unit, which user data and image alike start, hands on the file that the program reads', () => {
  const unit = readFileSync(`${ROOT}/systemd/eks-bootstrap-analyzer.service`, 'utf8');
  assert.ok(unit.includes(`EnvironmentFile=-${ENVIRONMENT_FILE}`));
  assert.ok(readFileSync(`${ROOT}/deploy/user-data.sh`, 'utf8').includes(ENVIRONMENT_FILE));
});

test('a run on a node goes by it, and ends with 2 where it is wrong', async (t) => {
  const good = scriptedNode(t, { environmentFile: `${P}FORMAT=json\n${P}PROBE=none\n` });
  const run = good.start('watch');
  good.kubelet(...BECOMES_READY);
  assert.equal(await run.ended, 0, run.process.err());
  // A slow machine says more than once how far the boot is.
  const verdicts = good.verdicts(run);
  assert.equal(verdicts.at(-1)?.status, 'ready');
  assert.deepEqual(
    verdicts.flatMap(({ probes }) => probes),
    [],
  );
  const bad = scriptedNode(t, { environmentFile: `\n${P}PROBES=none\n` }).start('watch');
  assert.equal(await bad.ended, 2);
  assert.match(
    bad.process.err(),
    /^eks-bootstrap-analyzer: \/etc\/eks-bootstrap-analyzer\/environment:2: EKS_BOOTSTRAP_ANALYZER_PROBES is no option that can be kept\. Did you mean EKS_BOOTSTRAP_ANALYZER_PROBE\?/,
  );
});
