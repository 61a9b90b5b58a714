// Secrets of every form in all that a node keeps: its journal, cloud-init's output, user data, the kubelet's command line and
// environment. None may leave by any sink of the built executable.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fact, recordBar } from '../../../build/bars.ts';
import { CORPUS, leaksOf, type Planted } from '../../redaction/corpus.ts';
import { ORDINARY_INSTANCE } from '../imds.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { until } from '../until.ts';
import { type DeliveringNode, deliveringNode, logsOfCluster, SPEAKS } from './delivering-node.ts';
import { causeOf, lineOf, numberedCauses } from './numbered-causes.ts';

const SAID_LIMIT_MS = 20_000;
/** What fits into the part of a line that evidence shows. */
const GROUP_CHARS = 3_000;
const OUTPUT = '/var/log/cloud-init-output.log';
const OWN_FOLDERS = ['/run', '/var/log', '/var/lib'].map((folder) => `${folder}/eks-bootstrap-analyzer`);
const USER_DATA = ['/var/lib/cloud/instance/user-data.txt', '/var/lib/cloud/instance/scripts/part-001'];

const ALL = CORPUS.map(({ text }) => text).join('\n');
const USER_DATA_TEXT = `#!/bin/bash\nset -ex\n${ALL}\n/etc/eks/bootstrap.sh prod-blue --kubelet-extra-args '--node-labels=a=b'\n`;

function groupsOf(planted: readonly Planted[]): string[] {
  const groups: string[] = [];
  for (const { text } of planted) {
    const last = groups.at(-1);
    if (last === undefined || last.length + text.length > GROUP_CHARS) groups.push(text);
    else groups[groups.length - 1] = `${last} ; ${text}`;
  }
  return groups;
}

const GROUPS = groupsOf(CORPUS.filter(({ text, isAlone }) => !text.includes('\n') && isAlone !== true));
const WHOLE_LINES = CORPUS.filter(({ text, isAlone }) => text.includes('\n') || isAlone === true).flatMap(({ text }) =>
  text.split('\n'),
);

/** The cause that cloud-init's output proves; its lines have no time. */
const LAST = GROUPS.length + 2;

/** The kubelet gets each of them as a variable, and hands them to a child as arguments. */
function environmentFile(): string {
  const quoted = (text: string): string => text.replaceAll(/[\\"`$]/g, String.raw`\$&`).replaceAll('\n', ' ');
  return [
    'NODEADM_KUBELET_ARGS="--hostname-override=ip-10-0-1-23"',
    ...CORPUS.map(({ text }, at) => `PLANTED_${at}="${quoted(text)}"`),
    '',
  ].join('\n');
}

const HELPER = `bash -c 'while :; do sleep 60; done' credential-helper "\${!PLANTED_@}" "$(env | grep ^PLANTED_)" &`;
const KUBELET = `${HELPER}\n${SPEAKS}`;
const PROXY =
  '[Service]\nEnvironment="HTTPS_PROXY=http://bob:PASSWORD@10.0.0.1:3128" "NO_PROXY=.amazonaws.com,169.254.169.254,10.0.0.0/8"\n';

async function allOwnFiles({ node }: DeliveringNode): Promise<string> {
  const { stdout } = await node.exec('find', [...OWN_FOLDERS, '-type', 'f', '-exec', 'cat', '{}', '+'], {
    codes: [0, 1],
  });
  return stdout;
}

test('no secret leaves the node by any sink', async (t) => {
  const logs = await logsOfCluster(t);
  const password = CORPUS.find(({ name }) => name === 'proxy')!.secrets[0]!;
  await using delivering = await deliveringNode(t, logs, {
    kubelet: KUBELET,
    node: {
      imds: { ...ORDINARY_INSTANCE, 'user-data': USER_DATA_TEXT },
      units: { 'kubelet.service.d/proxy.conf': PROXY.replace('PASSWORD', password) },
      files: {
        ...numberedCauses(LAST),
        ...Object.fromEntries(USER_DATA.map((path) => [path, USER_DATA_TEXT])),
        '/etc/eks/kubelet/environment': environmentFile(),
        [OUTPUT]: `${ALL}\n`,
      },
    },
  });
  const { node, say } = delivering;
  const helper = await node.shell(`cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c credential-helper`);
  assert.ok(Number(helper) > 0);
  await delivering.startWatch('--deadline=1h', '--probe=all');
  const left: string[] = [];
  for (const [at, group] of GROUPS.entries()) {
    // Half of them wait in the spool and go to the console.
    if (at % 2 === 1) logs.denied.add('PutLogEvents');
    say(...WHOLE_LINES, `${lineOf(at + 1)} # ${group}`);
    await until('the verdict', SAID_LIMIT_MS, async () =>
      (await delivering.verdicts()).some(({ cause }) => cause?.id === causeOf(at + 1)),
    );
    left.push(await allOwnFiles(delivering));
    logs.denied.clear();
  }
  for (const group of GROUPS) {
    writeFileSync(node.path(OUTPUT), `${WHOLE_LINES.join('\n')}\n+ ${lineOf(LAST)} # ${group}\n`);
    const { stdout, stderr } = await delivering.diagnose('--probe=all');
    assert.match(stdout, new RegExp(`${causeOf(LAST)}[^]*redacted:`));
    left.push(stdout, stderr);
  }
  const { stdout, stderr } = await delivering.diagnose('--format=json');
  left.push(stdout, stderr);
  await node.shell(`systemctl stop ${ANALYZER}`);
  const verdicts = await delivering.verdicts();
  await until(
    'all of them',
    SAID_LIMIT_MS,
    async () => (
      await delivering.diagnose('--probe=instance-metadata-reachable,cluster-configured'),
      (await delivering.spooled()).length === 0
    ),
  );
  left.push(await allOwnFiles(delivering), delivering.received(), node.console());
  const own = await node.journal(['-b', '-u', ANALYZER, '--identifier=eks-bootstrap-analyzer']);
  left.push(own.map((entry) => String(entry['MESSAGE'])).join('\n'));

  const text = left.join('\n');
  const leaked = CORPUS.filter(({ secrets }) => leaksOf(text, secrets).length > 0).map(
    ({ name, secrets }) => `${name}: ${leaksOf(text, secrets).join(' ')}`,
  );
  const ids = new Set(logs.messages().map(({ id }) => id));
  const lost = verdicts.filter(({ id }) => !ids.has(id)).length;
  const redacted = text.split('[redacted:').length - 1;
  const shown = node
    .console()
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('eks-bootstrap-analyzer:')).length;
  t.diagnostic(
    `${CORPUS.length} secrets; ${Math.round(text.length / 1024)} KiB left the node, ${redacted} places redacted, ${verdicts.length} verdicts, ${shown} lines on the console`,
  );
  assert.ok(own.length > 0 && shown > 0 && redacted > CORPUS.length);
  recordBar(fact(`secrets out of ${CORPUS.length} planted in every place of a node`, '0', String(leaked.length)));
  recordBar(fact(`verdicts lost of ${verdicts.length} meanwhile`, '0', String(lost)));
  assert.deepEqual(leaked, []);
  assert.equal(lost, 0);
});
