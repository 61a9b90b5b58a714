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

/** Drawn as a terminal draws it: each cell filled up to its width. */
function drawn(texts: readonly string[], width: number): string {
  const cells = texts.flatMap((text) => text.match(new RegExp(`.{1,${width}}`, 'g'))!);
  const rows = cells.map((cell) => `│ ${cell.padEnd(width)} │`);
  const state = `│${'Autoscroll:On      FullScreen:Off     Timestamps:Off     Wrap:On'.padStart(width + 2)}│`;
  const title = ' Logs(kube-system/aws-node-b7k2x)[tail] '.padStart(width / 2, '─').padEnd(width + 2, '─');
  return [`┌${title}┐`, state, ...rows, `└${'─'.repeat(width + 2)}┘`, ''].join('\n');
}

test('a drawn box gives back words that its width cut, and lines that stand one below the other', () => {
  const texts = [
    '{"level":"info","ts":"2026-01-24T01:07:21.120Z","caller":"entrypoint.sh","msg":"Starting IPAM daemon ... "}',
    KUBELET,
    `${KUBELET} and more`,
  ];
  for (const width of [70, 80, 81, 90]) {
    assert.equal(undoWrapping(drawn(texts, width)), `${texts.join('\n')}\n`, String(width));
    const named = texts.slice(0, 2).map((text) => `aws-node ${text}`);
    assert.equal(undoWrapping(drawn(named, width)), `${texts.slice(0, 2).join('\n')}\n`, String(width));
  }
});

test('a drawn box that breaks between words gets the blanks back', () => {
  const rows = [
    'Failed to start ContainerManager: start of the cpu manager',
    'failed with this error which is told here',
    'I0606 19:33:04.828406    3214 server.go:1] next',
  ];
  const box = `${rows.map((row) => `│ ${row.padEnd(60)} │`).join('\n')}\n`;
  assert.equal(undoWrapping(box), `${rows.slice(0, 2).join(' ')}\n${rows[2]!}\n`);
});

test('gaps of a screen that was copied as one line are closed, within a word or between two', () => {
  const text = `Jan 06 19:33:03 ip-10-0-1-2 kubelet: ${KUBELET} and so it goes on and on for a while`;
  const cut = text.match(/.{1,80}/g)!;
  assert.equal(undoWrapping(`${cut.join(' '.repeat(70))}\n`), `${text}\n`);
  const words = [text.slice(0, 100).trimEnd(), 'is refused: no', 'role'];
  assert.equal(undoWrapping(`${words.join(' '.repeat(27))}\n`), `${words.join(' ')}\n`);
  for (const own of [
    `${KUBELET} --vmodule spec${' '.repeat(40)}what it is`,
    `${KUBELET} [Filename /dev/nvme1n1${' '.repeat(28)}partition]`,
    `${KUBELET} a${' '.repeat(30)}b${' '.repeat(40)}c`,
  ])
    assert.equal(undoWrapping(`${own}\n`), null, own);
});

test('a sentence whose rest was indented by hand is one line; a table and a document stay', () => {
  const lookup = 'lookup 8C1F0A7E5D2B4C3E9A6F1B0D7E8C2A45.gr7.eu-west-1.eks.amazonaws.com';
  assert.equal(
    undoWrapping(`${lookup}\n  on 10.20.0.2:53: no such host\n`),
    `${lookup} on 10.20.0.2:53: no such host\n`,
  );
  for (const next of ['    valid_lft forever preferred_lft forever', '  name: thing', '  on=1 off=2'])
    assert.equal(
      undoWrapping(`2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9001 qdisc mq state UP\n${next}\n`),
      null,
      next,
    );
});

test('the lines of a pod that is not the system’s keep a name, so that nobody takes them for the node’s', () => {
  const said = 'dial tcp: lookup db.prod.example on 10.100.0.10:53: no such host\n';
  for (const prefix of [
    'orders-7d9f6c5b8-x2k7p app ',
    '[pod/orders-7d9f6c5b8-x2k7p/app] ',
    'shop/orders-7d9f6c5b8-x2k7p[app]: ',
  ])
    assert.match(undoWrapping(`${prefix}${said}`)!, /^pod-orders-7d9f6c5b8[\w-]*\[1\]: dial tcp/, prefix);
  for (const pod of [
    'aws-node-b7k2x',
    'kube-proxy-b7k2x',
    'nvdp-nvidia-device-plugin-b7k2x',
    'karpenter-7d9f6c5b8-x2k7p',
  ])
    assert.equal(undoWrapping(`[pod/${pod}/main] ${said}`), said, pod);
});

test('a sentence that an editor broke behind its colon has a blank there, and a name has none', () => {
  const post =
    'Unable to register the node with API server: Post https://8C1F0A7E5D2B4C3E9A6F1B0D7E8C2A45.gr7.eu-west-1.eks.amazonaws.com/api/v1/nodes:';
  assert.equal(
    undoWrapping(`${post}\nx509: certificate signed by unknown authority\n`),
    `${post} x509: certificate signed by unknown authority\n`,
  );
  const role = `${KUBELET.slice(0, 100)} User "system:`;
  assert.equal(undoWrapping(`${role}\nnode:ip-10-0-1-2" cannot\n`), `${role}node:ip-10-0-1-2" cannot\n`);
});
