// The ladder on a node, by the built executable: what becomes of a verdict when the network, the permission or the disk is missing.
import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { CONSOLE_MAX_CHARS } from '../../../src/render/console-line.ts';
import type { LogsServer } from '../../sinks/logs-server.ts';
import { ANALYZER } from '../shapes/analyzer.ts';
import { CNI_READY, READY, REGISTERED, RUNS_ON, STARTED } from '../shapes/kubelet.ts';
import { until } from '../until.ts';
import { type DeliveringNode, deliveringNode, GROUP, INSTANCE, logsOfCluster } from './delivering-node.ts';
import { causeOf, lineOf, numberedCauses } from './numbered-causes.ts';

const SAID_LIMIT_MS = 20_000;
/** A pause between two tries takes up to 10 s. */
const AGAIN_LIMIT_MS = 30_000;
const READY_LIMIT_MS = 60_000;
const IDENTITY = '--probe=instance-metadata-reachable,cluster-configured';
const ON_THE_WAY = '{ 10.0.0.0/16, 169.254.0.0/16 }';
const DROP = `nft add table inet cut && nft 'add chain inet cut out { type filter hook output priority 0; }' && nft 'add rule inet cut out ip daddr ${ON_THE_WAY} drop'`;
const PASS = 'nft delete table inet cut';
const NO_ROUTE = 'ip address del 10.0.0.10/32 dev lo; ip route del default; ip route del 10.0.0.0/16 dev lo';
const ROUTE =
  'ip address add 10.0.0.10/32 dev lo; ip route add 10.0.0.0/16 dev lo src 10.0.1.23; ip route add default via 10.0.0.1 dev lo src 10.0.1.23';

const rows: (readonly [string, string])[] = [];

/** The table is printed at the end; a row that is missing did not hold. */
function holds(what: string, seen: string): void {
  rows.push([what, seen]);
}

after(() => {
  const width = Math.max(0, ...rows.map(([what]) => what.length));
  console.log(
    `\n${[['the ladder', 'seen'], ...rows].map(([what = '', seen = '']) => `${what.padEnd(width)}  ${seen}`).join('\n')}\n`,
  );
});

async function isSaid(delivering: DeliveringNode, number: number): Promise<void> {
  await until(`${causeOf(number)} in the log`, SAID_LIMIT_MS, async () =>
    (await delivering.verdicts()).some(({ cause }) => cause?.id === causeOf(number)),
  );
}

/** Without the event that the boot has begun. */
function verdictsOn(logs: LogsServer): Record<string, unknown>[] {
  return logs.messages().filter(({ verdict }) => verdict !== undefined);
}

/** In the order of their first arrival: what was accepted while the answer was lost comes again. */
function idsOn(logs: LogsServer): unknown[] {
  return [...new Set(verdictsOn(logs).map(({ id }) => id))];
}

async function loggedIds(delivering: DeliveringNode): Promise<string[]> {
  return (await delivering.verdicts()).map(({ id }) => id);
}

/** What stands on the console since then. */
function consoleLines({ node }: DeliveringNode, from: number): string[] {
  return node
    .console()
    .slice(from)
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith('eks-bootstrap-analyzer:'));
}

function isShort(line: string | undefined, cause: string): void {
  assert.match(line ?? '', new RegExp(`^eks-bootstrap-analyzer: failed ${cause} `));
  assert.ok(line!.length <= CONSOLE_MAX_CHARS, `${line!.length} characters`);
}

async function costs({ node }: DeliveringNode): Promise<string> {
  const text = await node.shell(
    `grep -h VmHWM /proc/$(systemctl show --value -p MainPID ${ANALYZER})/status; systemctl show --value -p CPUUsageNSec ${ANALYZER}`,
  );
  const [peak = '', nanoseconds = ''] = text.split('\n');
  return `${Math.round(Number(/\d+/.exec(peak)) / 1024)} MB at most, ${(Number(nanoseconds) / 1e9).toFixed(2)} s of processor time`;
}

test('the network and the permission come and go', async (t) => {
  const logs = await logsOfCluster(t);
  await using delivering = await deliveringNode(t, logs, { node: { files: numberedCauses(9) } });
  const { node, say } = delivering;

  await t.test('one verdict over TLS', async () => {
    await delivering.startWatch('--deadline=1h', IDENTITY);
    say(lineOf(1));
    await until('the event', SAID_LIMIT_MS, () => idsOn(logs).length === 1);
    holds('cost of `watch` with one verdict delivered', await costs(delivering));
  });

  await t.test('packets are lost: it waits on disk, the console is told, the same run delivers in order', async () => {
    await node.shell(DROP);
    const from = node.console().length;
    for (const number of [2, 3, 4]) {
      say(lineOf(number));
      await isSaid(delivering, number);
    }
    await until('three in the spool', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 3);
    const [line] = await until('the console', AGAIN_LIMIT_MS, () =>
      consoleLines(delivering, from).length > 0 ? consoleLines(delivering, from) : null,
    );
    isShort(line, causeOf(2).replace('2', '[234]'));
    assert.equal(idsOn(logs).length, 1);
    await node.shell(PASS);
    await until('all of them', AGAIN_LIMIT_MS, () => idsOn(logs).length >= 4);
    assert.deepEqual(idsOn(logs), await loggedIds(delivering));
    await until('an empty spool', SAID_LIMIT_MS, async () => (await delivering.spooled()).length === 0);
    holds(
      'packets lost, then not',
      `3 in the spool, ${line!.length} characters on the console, delivered in order by the same run`,
    );
  });

  await t.test('no route, and the run is stopped: the next run delivers', async () => {
    await node.shell(NO_ROUTE);
    say(lineOf(5));
    await isSaid(delivering, 5);
    await node.shell(`systemctl stop ${ANALYZER}`);
    assert.equal(await delivering.watchEnd(SAID_LIMIT_MS), 'success');
    const waiting = await delivering.spooled();
    assert.equal(waiting.length, 2);
    // The boot goes on, so this is no last word.
    assert.equal((await delivering.verdicts()).at(-1)?.final, false);
    await node.shell(ROUTE);
    await delivering.diagnose(IDENTITY);
    assert.deepEqual(idsOn(logs), await loggedIds(delivering));
    assert.deepEqual(await delivering.spooled(), []);
    holds(
      'no route, stopped',
      'what it said when it was stopped and the one before in the spool, delivered in order by the next run',
    );
  });

  await t.test('`diagnose` while packets are lost says so and keeps the verdict', async () => {
    await node.shell(DROP);
    const { code, stdout, stderr } = await delivering.diagnose(IDENTITY);
    await node.shell(PASS);
    assert.equal(code, 10);
    assert.match(stdout, /FAILED/);
    assert.match(
      stderr,
      /^eks-bootstrap-analyzer: CloudWatch Logs: CloudWatch Logs could not be reached; what is in the spool is delivered by the next run/m,
    );
    assert.equal((await delivering.spooled()).length, 1);
    holds('`diagnose` while packets are lost', stderr.trim().split('\n')[0]!);
  });

  await t.test('AccessDenied is told with the missing permission', async () => {
    const before = idsOn(logs).length;
    logs.denied.add('PutLogEvents');
    const from = node.console().length;
    const { stderr } = await delivering.diagnose(IDENTITY);
    const missing = `allow logs:PutLogEvents on arn:aws:logs:us-west-2:111122223333:log-group:${GROUP}:log-stream:${INSTANCE}`;
    assert.ok(stderr.includes(missing), stderr);
    assert.equal((await delivering.spooled()).length, 2);
    assert.equal(idsOn(logs).length, before);
    isShort(consoleLines(delivering, from)[0], causeOf(5));
    const masked = await delivering.diagnose(IDENTITY, '--redact-identifiers');
    assert.match(masked.stderr, /allow logs:PutLogEvents/);
    assert.doesNotMatch(masked.stderr + masked.stdout, /111122223333|10\.0\.1\.23|ip-10-0-1-23/);
    logs.denied.clear();
    await delivering.diagnose(IDENTITY);
    assert.deepEqual(idsOn(logs), await loggedIds(delivering));
    assert.deepEqual(await delivering.spooled(), []);
    const ofMasked = (await delivering.verdicts()).at(-2)!;
    assert.doesNotMatch(JSON.stringify(ofMasked), /111122223333|10\.0\.1\.23|ip-10-0-1-23/);
    const event = logs.messages().find(({ id }) => id === ofMasked.id);
    assert.ok(event !== undefined);
    assert.doesNotMatch(JSON.stringify(event), /111122223333|10\.0\.1\.23|ip-10-0-1-23/);
    holds('AccessDenied', `told: ${missing.slice(0, 60)}…; spool and console; delivered once it is allowed`);
    holds(
      '--redact-identifiers',
      'no account and no address on standard output, standard error, in the files or in the event',
    );
  });

  await t.test('no route, and the machine goes down: the next boot delivers the last word', async () => {
    await delivering.startWatch('--deadline=1h', IDENTITY);
    await node.shell(NO_ROUTE);
    say(lineOf(6));
    await isSaid(delivering, 6);
    await node.reboot();
    const last = (await delivering.verdicts()).at(-1)!;
    assert.deepEqual([last.final, last.cause?.id], [true, causeOf(6)]);
    assert.ok((await delivering.spooled()).includes(last.id));
    assert.ok(!idsOn(logs).includes(last.id));
    await delivering.diagnose(IDENTITY);
    assert.deepEqual(idsOn(logs), await loggedIds(delivering));
    assert.deepEqual(await delivering.spooled(), []);
    holds('no route, powered off', 'the last word in the spool, delivered in order in the next boot');
  });
});

test('the disk takes nothing', async (t) => {
  const logs = await logsOfCluster(t);
  const volatile = { '/etc/systemd/journald.conf.d/volatile.conf': '[Journal]\nStorage=volatile\n' };
  await using delivering = await deliveringNode(t, logs, { node: { files: { ...numberedCauses(9), ...volatile } } });
  const { node, say } = delivering;

  /** With this disk: CloudWatch gets the verdict; and where it does not, verdict.json and the console hold it. */
  const otherRungsHold = async (t: TestContext, number: number, words: string): Promise<void> => {
    await t.test('CloudWatch gets it', async () => {
      await delivering.startWatch('--deadline=1h', IDENTITY);
      say(lineOf(number));
      await until('the event', SAID_LIMIT_MS, () => logs.messages().some(({ causeId }) => causeId === causeOf(number)));
    });
    await t.test('without the network the console and verdict.json get it', async () => {
      const from = node.console().length;
      logs.denied.add('PutLogEvents');
      say(lineOf(number + 1));
      await until('the console', AGAIN_LIMIT_MS, () => consoleLines(delivering, from).length > 0);
      isShort(consoleLines(delivering, from)[0], causeOf(number + 1));
      assert.match(await node.shell('cat /run/eks-bootstrap-analyzer/verdict.json'), new RegExp(causeOf(number + 1)));
      logs.denied.clear();
    });
    await t.test('the next verdict and standard error say what is wrong', async () => {
      say(lineOf(number + 2));
      await until('the event', SAID_LIMIT_MS, () =>
        logs.messages().some(({ causeId }) => causeId === causeOf(number + 2)),
      );
      const { notChecked } = (logs.messages().at(-1) as { verdict: { notChecked: { what: string; code: string }[] } })
        .verdict;
      const told = notChecked
        .map(({ what, code }) => `${what} ${code}`)
        .filter((note) => /^(?:spool|verdict log) /.test(note));
      assert.equal(told.length, 2, JSON.stringify(notChecked));
      assert.match(
        await node.shell(`journalctl -b -u ${ANALYZER} -o cat --no-pager`),
        // The journal has the tool's name beside the message.
        new RegExp(`^(?!eks-bootstrap-analyzer: ).*${words}`, 'm'),
      );
      // A stop would say one more verdict, which the next numbers do not count on.
      await delivering.killWatch();
      holds(words, `CloudWatch, or else console and verdict.json; told: ${told.join(', ')}`);
    });
  };

  await t.test('full', async (t) => {
    const folders = ['/var/lib/eks-bootstrap-analyzer', '/var/log/eks-bootstrap-analyzer'];
    for (const folder of folders)
      await node.shell(
        `mkdir -m 700 -p ${folder}; mount -t tmpfs -o size=64k,mode=700 tmpfs ${folder}; cat /dev/zero >${folder}/filler 2>/dev/null; true`,
      );
    await otherRungsHold(t, 1, 'The disk is full');
    for (const folder of folders) await node.shell(`umount ${folder}`);
  });

  await t.test('read-only, with the folders that the image has', async (t) => {
    await node.shell('mount --bind /var /var; mount -o remount,bind,ro /var');
    await otherRungsHold(t, 4, 'The file system is mounted read-only');
  });
});

test('a good boot gives its beginning and its last word with the metrics, and nothing more is said until the next boot', async (t) => {
  const logs = await logsOfCluster(t);
  const kubelet = `${STARTED}\n${REGISTERED}\n${CNI_READY}\n${READY}${RUNS_ON}`;
  await using delivering = await deliveringNode(t, logs, {
    kubelet,
    vpc: { node: { status: 200, isReady: true } },
    startsAtBoot: true,
  });
  const { node } = delivering;
  assert.equal(await delivering.watchEnd(READY_LIMIT_MS), 'success');
  const [started, event, ...more] = logs.messages();
  assert.deepEqual([started?.['event'], more], ['boot-started', []]);
  assert.deepEqual(
    [event?.['final'], event?.['status'], event?.['Cause'], event?.['BootstrapFailure']],
    [true, 'ready', undefined, 0],
  );
  assert.equal(typeof event?.['BootToReadySeconds'], 'number');
  assert.ok(JSON.stringify(event?.['_aws']).includes('"Namespace":"EKS/NodeBootstrap"'));
  holds(
    'a good boot',
    `two events, started and ready, with metrics; ${Object.keys(event!).filter((key) => key.endsWith('Seconds')).length} durations`,
  );

  await node.shell(`systemctl start ${ANALYZER}`);
  assert.equal(await delivering.watchEnd(READY_LIMIT_MS), 'success');
  assert.equal(logs.messages().length, 2);
  assert.equal((await delivering.verdicts()).length, 1);
  holds('started again after its last word', 'says and sends nothing');

  await node.reboot();
  assert.equal(await delivering.watchEnd(READY_LIMIT_MS), 'success');
  const [, second, ...others] = verdictsOn(logs);
  assert.deepEqual(others, []);
  assert.deepEqual([second?.['final'], second?.['status']], [true, 'ready']);
  assert.deepEqual(
    Object.keys(second!).filter((key) => key === '_aws' || /^(?:Boot|Failure)/.test(key)),
    [],
  );
  assert.deepEqual(idsOn(logs), await loggedIds(delivering));
  holds('a reboot of a node that had been Ready', 'one event, no metrics');
});
