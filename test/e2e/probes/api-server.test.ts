// What the API server answers to the node's own token, and that the token goes nowhere else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ORDINARY_CREDENTIALS } from '../imds.ts';
import { EXECUTABLE_ON_NODE, type TestNode } from '../node.ts';
import { CLUSTER_HOST, ENDPOINT_ADDRESS, KUBECONFIG_PATH, type NodeAnswer } from '../vpc.ts';
import { diagnose, type Diagnosis, later, runDiagnose } from './diagnose.ts';
import { MUCH_LATER_SECONDS, nodeForTests, testTroubles, type Trouble, UNREGISTERED } from './nodes.ts';
import { all, command, file, vpc } from './troubles.ts';

const PROBE = 'node-registered';
const LOOK_PAUSE_MS = 5;
const WATCH_SECONDS = '10';
const ELSEWHERE = 'elsewhere.example';
const theNode = nodeForTests(UNREGISTERED);

describe('its answer decides', () => {
  const answered = (node: NodeAnswer): Pick<Trouble, 'make'> => ({ make: vpc({ node }) });
  testTroubles(theNode, [
    {
      title: '401',
      ...answered({ status: 401 }),
      cause: 'high node-unauthorized',
      codes: { [PROBE]: 'unauthorized' },
      check: namesTheRole,
    },
    { title: '403', ...answered({ status: 403 }), cause: 'high node-forbidden', codes: { [PROBE]: 'forbidden' } },
    { title: '404', ...answered({ status: 404 }), cause: 'none, stalled', codes: { [PROBE]: 'not-found' } },
    { title: '500', ...answered({ status: 500 }), cause: 'none, stalled', codes: { [PROBE]: 'server-error' } },
    { title: 'none at all', ...answered({ status: 0 }), cause: 'none, stalled', codes: { [PROBE]: 'answer-timeout' } },
    { title: '200, not Ready', ...answered({ status: 200 }), cause: 'none, stalled', codes: { [PROBE]: 'not-ready' } },
    {
      title: '200, Ready',
      ...answered({ status: 200, isReady: true }),
      cause: 'none, ready',
      codes: { [PROBE]: 'ok' },
    },
  ]);
});

function namesTheRole({ verdict }: Diagnosis): void {
  const words = verdict.cause!.remedy.map(({ text, command }) => `${text} ${command}`).join('\n');
  assert.ok(words.includes('arn:aws:iam::111122223333:role/prod-blue-node-role'));
  assert.ok(words.includes('--cluster-name prod-blue'));
}

/** Lines of the stand-in that answers for all endpoints: method, host, path, status, proof of identity. */
function requests(node: TestNode): readonly string[] {
  return readFileSync(join(node.folder, 'vpc.log'), 'utf8').split('\n').filter(Boolean);
}

const TOKEN = /Bearer (?<token>k8s-aws-v1\.[\w-]+)$/;

function tokensIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => TOKEN.exec(line)?.groups?.['token'] ?? []);
}

describe('the token', () => {
  let seen = 0;
  const since = (node: TestNode): readonly string[] => {
    const lines = requests(node).slice(seen);
    seen += lines.length;
    return lines;
  };
  const nobodyGotIt = (_diagnosis: Diagnosis, node: TestNode): void =>
    assert.deepEqual(
      since(node).filter((line) => TOKEN.test(line)),
      [],
    );
  const onlyTheServerGotIt = (_diagnosis: Diagnosis, node: TestNode): void => {
    const proven = since(node).filter((line) => TOKEN.test(line));
    assert.equal(proven.length, 1);
    assert.ok(proven[0]!.startsWith(`GET ${CLUSTER_HOST.toLowerCase()} /api/v1/nodes/`), proven[0]);
  };
  const elsewhere = file('/etc/hosts', (text) => `${text}${ENDPOINT_ADDRESS} ${ELSEWHERE}\n`);
  const withoutConfig = command(`mv ${KUBECONFIG_PATH} /root/kubeconfig`, `mv /root/kubeconfig ${KUBECONFIG_PATH}`);

  testTroubles(theNode, [
    {
      title: 'is not sent to a server whose certificate is of another CA',
      make: (node) => (since(node), vpc({ faults: { [CLUSTER_HOST]: 'wrong-ca' } })(node)),
      cause: 'high cluster-ca-mismatch',
      codes: { [PROBE]: 'tls-unknown-ca' },
      check: nobodyGotIt,
    },
    {
      title: 'is not sent to a server that the machine trusts, but not the cluster',
      make: (node) => (
        since(node),
        all(
          elsewhere,
          file(KUBECONFIG_PATH, (text) => text.replace(CLUSTER_HOST, ELSEWHERE)),
        )(node)
      ),
      cause: 'high cluster-ca-mismatch',
      codes: { [PROBE]: 'tls-unknown-ca' },
      check: nobodyGotIt,
    },
    {
      title: 'does not follow a redirect',
      make: all(elsewhere, vpc({ node: { status: 307, location: `https://${ELSEWHERE}/api/v1/nodes/x` } })),
      cause: 'none, stalled',
      codes: { [PROBE]: 'unexpected-answer' },
      check: onlyTheServerGotIt,
    },
    {
      title: 'is not told to who reads the verdict, even if the server sends it back',
      make: vpc({ node: { status: 403, echoes: true } }),
      cause: 'none, stalled',
      codes: { [PROBE]: 'unexpected-answer' },
      check: onlyTheServerGotIt,
    },
    {
      title: 'is not sent to an address of a log',
      make: all(
        withoutConfig,
        command(
          `logger -t kubelet 'Get "https://${CLUSTER_HOST}/api/v1/nodes/x": dial tcp 10.0.0.20:443: i/o timeout'`,
          'true',
        ),
      ),
      cause: 'medium api-server-unreachable',
      codes: { [PROBE]: 'endpoint-unknown' },
      check: nobodyGotIt,
    },
  ]);
});

/** Of all processes of this machine, the node's among them: command lines and environments, as often as can be read. */
function watchProcesses(): Disposable & { seen(): string } {
  const seen = new Set<string>();
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      for (const part of ['cmdline', 'environ'])
        try {
          seen.add(readFileSync(`/proc/${pid}/${part}`, 'latin1'));
        } catch {
          // It has ended.
        }
  };
  const timer = setInterval(look, LOOK_PAUSE_MS);
  return { seen: () => [...seen].join('\n'), [Symbol.dispose]: () => clearInterval(timer) };
}

/** All that the node has on its disk, in memory file systems, in the journal, on its console. */
async function everythingOf(node: TestNode): Promise<string> {
  const inMemory = await node.shell(
    'find /run /tmp /dev/shm -xdev -type f -size -1000k -exec cat {} + | tr -d "\\000"',
  );
  const journal = (await node.journal()).map((entry) => JSON.stringify(entry)).join('\n');
  return [inMemory, journal, node.console()].join('\n');
}

test('neither token nor credentials are left anywhere', async () => {
  const node = theNode();
  const before = requests(node).length;
  node.setVpc({ node: { status: 401 } });
  using processes = watchProcesses();
  const json = await diagnose(node, { args: ['--probe=all'], laterSeconds: MUCH_LATER_SECONDS });
  const text = await runDiagnose(node, { args: ['--deliver=local'], laterSeconds: MUCH_LATER_SECONDS });
  const watch = await node.exec(
    'unshare',
    [...(await later(node, MUCH_LATER_SECONDS)), 'timeout', WATCH_SECONDS, EXECUTABLE_ON_NODE, 'watch'],
    {
      codes: null,
    },
  );
  const tokens = tokensIn(requests(node).slice(before));
  assert.ok(tokens.length >= 3, 'all three have asked');
  const parts = tokens.flatMap((token) => [
    token,
    /X-Amz-Signature=(?<hex>\w+)/.exec(Buffer.from(token.slice(11), 'base64url').toString())!.groups!['hex']!,
  ]);
  const secrets = [
    ...parts,
    'k8s-aws-v1.',
    ORDINARY_CREDENTIALS.SecretAccessKey,
    ORDINARY_CREDENTIALS.Token,
    ORDINARY_CREDENTIALS.AccessKeyId,
  ];
  const seen = processes.seen();
  assert.ok(seen.includes(`${EXECUTABLE_ON_NODE}\0diagnose`) && seen.includes(`${EXECUTABLE_ON_NODE}\0watch`));
  const everything = {
    stdout: json.stdout + text.stdout + watch.stdout,
    stderr: json.stderr + text.stderr + watch.stderr,
    processes: seen,
    node: await everythingOf(node),
  };
  for (const [place, content] of Object.entries(everything))
    assert.deepEqual(
      secrets.filter((secret) => content.includes(secret)),
      [],
      place,
    );
  assert.ok(everything.node.includes('node-unauthorized'), 'what was delivered was looked at');
  assert.equal(onDisk(node, secrets), '');
});

/** Files of the node's disk in which one of the texts stands; the journal is read on its own. */
function onDisk(node: TestNode, secrets: readonly string[]): string {
  const grep = ['--recursive', '--files-with-matches', '--binary-files=text', '--fixed-strings', '--devices=skip'];
  const { stdout } = spawnSync(
    'grep',
    [...grep, ...secrets.flatMap((secret) => ['-e', secret]), join(node.folder, 'upper')],
    { encoding: 'utf8' },
  );
  return stdout;
}
