import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../../build/project.ts';
import { undoWrapping } from '../../../src/sources/capture/wrapping/undo-wrapping.ts';

const KUBELET =
  'E0606 19:33:03.828406    3214 run.go:74] "command failed" err="failed to run Kubelet: something that is long enough"';

test('what is as its program wrote it stays as it is, whole captures among it', () => {
  const texts = [
    `${KUBELET}\n${KUBELET}\n`,
    'Cloud-init v. 22.2.2 running\n+ set -e\n- item\nsome words\n    indented\n',
    `E0606 19:33:03.828406    3214 run.go:74] "command failed" err=<\n\tone\n\ttwo\n\tthree\n\tfour\n\tfive\n >\n`,
    'cp: cannot stat ‘/etc/x’: No such file or directory\n',
  ];
  for (const text of texts) assert.equal(undoWrapping(text), null, text);
});

/** The lists of one moment among them are never unwrapped. */
const SNAPSHOTS = ['**/storage/**', '**/system/**', '**/*_service.txt', '**/*.json', '**/*.gz'];

for (const file of globSync('test/healthy/*/capture/**/*.{log,txt,ndjson}', { cwd: ROOT, exclude: SNAPSHOTS }))
  test(`nothing is undone in ${file}`, () => {
    const head = readFileSync(join(ROOT, file))
      .subarray(0, 64 * 1024)
      .toString('utf8');
    const lines = head.slice(0, head.lastIndexOf('\n') + 1);
    const undone = undoWrapping(lines);
    assert.ok(undone === null, undone?.slice(0, 400));
  });

test('two records of which one has the greatest width stay two', () => {
  const long = `${KUBELET} ${'x'.repeat(20)}`;
  for (const next of [
    KUBELET,
    '\tgoes on',
    ' >',
    'Jun 06 19:33:03 host kubelet[7]: next',
    '+ echo',
    '[   12.345678] x',
  ])
    assert.equal(undoWrapping(`${KUBELET}\n${long}\n${next}\n${KUBELET}\n`), null, next);
});

test('a screen whose rows are filled up with blanks keeps its indented rows', () => {
  const rows = [KUBELET, '  goes on here', KUBELET, '  and on'].map((row) => row.padEnd(140));
  assert.equal(undoWrapping(`${rows.join('\n')}\n`), null);
});

test('the side that terraform draws beside its errors stays', () => {
  assert.equal(
    undoWrapping('╷\n│ Error: reading EKS Cluster (shop)\n│ \n│   with data.aws_eks_cluster.this,\n╵\n'),
    null,
  );
});

test('a prompt goes where a log line follows, and stays before a command', () => {
  assert.equal(undoWrapping(`[root@ip-10-0-1-2 ~]# ${KUBELET}\n`), `${KUBELET}\n`);
  assert.equal(undoWrapping('[root@ip-10-0-1-2 ~]# journalctl -u kubelet\n'), null);
});

test('lines that a note broke between two words are one, its own breaks and the routes of a table stay', () => {
  const note = [
    'Failed to start ContainerManager: start of the cpu manager failed with this error, which was:',
    'could not restore state from checkpoint: configured policy differs from the policy that the',
    'checkpoint names',
  ];
  assert.equal(undoWrapping(`${note.join('\n')}\n`), `${note.join(' ')}\n`);
  const own = ['failed to validate kubelet flags: unknown labels that were given with the flag', 'Second sentence', ''];
  assert.equal(undoWrapping(['Kubelet exited: exit status 1', ...own].join('\n')), null);
  const routes = 'default via 10.8.32.1 dev eth0\n10.8.32.0/20 dev eth0 proto kernel scope link src 10.8.33.140\n';
  assert.equal(undoWrapping(`${routes}169.254.169.254 dev eth0\n`), null);
});
