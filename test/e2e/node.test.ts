// The harness keeps its word: nodes are real, reboot with their disk, and leave nothing on the host, whatever ends the test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeToken } from '../../src/probes/cluster/node-token.ts';
import { ORDINARY_CREDENTIALS, ORDINARY_INSTANCE } from './imds.ts';
import { bootNode, EXECUTABLE, EXECUTABLE_ON_NODE } from './node.ts';
import { until } from './until.ts';
import { CLUSTER, CLUSTER_CA, CLUSTER_HOST, endpointOf, REGION } from './vpc.ts';

const CLEAN_LIMIT_MS = 10_000;

test('a node has a real systemd and journald, its own uptime, and runs the executable', async () => {
  await using node = await bootNode({
    units: {
      'kubelet.service':
        '[Service]\nExecStart=sh -c "echo up; sleep infinity"\n[Install]\nWantedBy=multi-user.target\n',
    },
    binds: { [EXECUTABLE_ON_NODE]: EXECUTABLE },
  });
  assert.equal(await node.shell('systemctl is-system-running'), 'running');
  assert.equal((await node.journal(['-u', 'kubelet', '_TRANSPORT=stdout']))[0]?.['MESSAGE'], 'up');
  assert.ok(Number(await node.shell('cut -d" " -f1 /proc/uptime')) < 30);
  await node.kmsg(3, 'Out of memory: Killed process 4242 (java)');
  await until('the kernel record', 2_000, async () =>
    (await node.journal(['-k'])).some((entry) => entry['MESSAGE']?.includes('4242')),
  );
  assert.match(await node.shell(`${EXECUTABLE_ON_NODE} --version`), /^\d+\.\d+\.\d+$/);
});

test('a reboot keeps the disk and changes the boot id, also after a power cut', async () => {
  await using node = await bootNode({ files: { '/root/first': 'staged' } });
  const bootId = await node.shell('echo changed >/root/first; sync; cat /proc/sys/kernel/random/boot_id');
  await node.kill();
  await node.reboot();
  assert.equal(await node.shell('cat /root/first'), 'changed');
  assert.notEqual(await node.shell('cat /proc/sys/kernel/random/boot_id'), bootId);
  await node.reboot();
  assert.equal(await node.shell('journalctl --list-boots --quiet | wc -l'), '3');
});

test('the metadata service asks for a token, and its answers can be changed', async () => {
  await using node = await bootNode({ imds: ORDINARY_INSTANCE });
  const token = await node.shell(
    'curl -sf -X PUT -H "X-aws-ec2-metadata-token-ttl-seconds: 60" 169.254.169.254/latest/api/token',
  );
  const ask = async (path: string, header = `X-aws-ec2-metadata-token: ${token}`): Promise<string> =>
    node.shell(`curl -s -w ' %{http_code}' -H '${header}' 169.254.169.254/latest/${path}`);
  assert.equal(await ask('meta-data/instance-id', 'a: b'), ' 401');
  assert.equal(await ask('meta-data/instance-id'), 'i-0123456789abcdef0 200');
  assert.equal(await ask('meta-data/iam/security-credentials/'), 'prod-blue-node-role 200');
  assert.equal(await ask('user-data'), ' 404');
  node.imds.set('user-data', { status: 503, value: 'later' });
  assert.equal(await ask('user-data'), 'later 503');
  assert.ok(node.metadataRequests().includes('GET /latest/user-data 503'));
});

test('a killed test leaves no process, no folder and no control group', async () => {
  const program = `import { bootNode } from ${JSON.stringify(join(import.meta.dirname, 'node.ts'))};
    const node = await bootNode(); console.log(node.folder); setInterval(() => {}, 1000);`;
  const victim = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(victim.stdout.setEncoding('utf8'), 'data')) as [string];
  const folder = line.trim();
  assert.ok(existsSync(folder));
  assert.ok(processesNaming(folder).length > 0);
  const group = groupOf(folder);
  victim.kill('SIGKILL');
  await until('the folder is gone', CLEAN_LIMIT_MS, () => !existsSync(folder));
  await until('all processes are gone', CLEAN_LIMIT_MS, () => processesNaming(folder).length === 0);
  assert.deepEqual(controlGroups(group), []);
});

/** Host process ids whose command line names the folder. */
function processesNaming(folder: string): string[] {
  return readdirSync('/proc').filter(
    (entry) => /^\d+$/.test(entry) && readOr(`/proc/${entry}/cmdline`).includes(folder),
  );
}

function groupOf(folder: string): string {
  for (const pid of processesNaming(folder)) {
    const group = /^0::\/(?<group>eks-e2e-[0-9a-f]+)/m.exec(readOr(`/proc/${pid}/cgroup`))?.groups?.['group'];
    if (group !== undefined) return group;
  }
  throw new Error('the node has no control group');
}

function controlGroups(group: string): string[] {
  const mounts = [...readOr('/proc/self/mounts').matchAll(/^\S+ (?<path>\S+) cgroup2 /gm)].map(
    ({ groups }) => groups!['path']!,
  );
  return mounts.map((mount) => join(mount, group)).filter((path) => existsSync(path));
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('the network has endpoints that answer TLS, some whose packets are lost, and an API server that knows the node', async () => {
  const lost = endpointOf('ecr-api');
  await using node = await bootNode({ vpc: { lost: [lost], node: { status: 401 } } });
  const ask = async (host: string, ...args: string[]): Promise<string> =>
    (
      await node.exec(
        'curl',
        ['-s', '-m', '1', '-o', '/dev/null', '-w', '%{http_code} %{exitcode}', ...args, `https://${host}`],
        { codes: null },
      )
    ).stdout.trim();
  assert.equal(await ask(endpointOf('sts')), '200 0');
  assert.equal(await ask(lost), '000 28');
  assert.equal(await ask(CLUSTER_HOST), '000 60');
  const nodeApi = `${CLUSTER_HOST}/api/v1/nodes/${CLUSTER}`;
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken } = ORDINARY_CREDENTIALS;
  const asNode = (cluster: string): string[] => {
    const token = nodeToken({
      credentials: { accessKeyId, secretAccessKey, sessionToken },
      cluster,
      region: REGION,
      atMs: Date.now(),
    });
    return ['--cacert', CLUSTER_CA, '-H', `Authorization: Bearer ${token}`];
  };
  assert.equal(await ask(nodeApi, ...asNode(CLUSTER)), '401 0');
  node.setVpc({ node: { status: 200 } });
  assert.equal(await ask(nodeApi, ...asNode(CLUSTER)), '200 0');
  assert.equal(await ask(nodeApi, ...asNode('another')), '401 0', 'a token that is signed for another cluster');
});
