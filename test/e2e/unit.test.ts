// The shipped unit on a real systemd: it starts while everything else hangs, holds nothing up, and its sandbox is what it says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { bootNode, EXECUTABLE_ON_NODE, type TestNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import { al2, BOOTSTRAPPED } from './shapes/al2.ts';
import { al2023, CONFIGURED, RAN } from './shapes/al2023.ts';
import { ANALYZER, ANALYZER_BIND, ANALYZER_UNIT } from './shapes/analyzer.ts';
import { seed, stuckStage } from './shapes/cloud-init.ts';
import { ubuntu } from './shapes/ubuntu.ts';
import { until } from './until.ts';

const START_LIMIT_MS = 10_000;
const KUBELET = 'klog I \'server.go:1262] "Started kubelet"\'\nexec sleep infinity';

const SHAPES: Readonly<Record<string, NodeOptions>> = {
  Ubuntu: ubuntu({ bootstrap: 'systemctl start snap.kubelet-eks.daemon', kubelet: KUBELET }),
  AL2023: al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet: KUBELET }, seed('#!/bin/bash\necho hello\n')),
  AL2: al2({ bootstrap: BOOTSTRAPPED, pullSandboxImage: 'true', kubelet: KUBELET }),
};

for (const [name, shape] of Object.entries(SHAPES))
  describe(`on the units of ${name}`, { concurrency: 2 }, () => {
    test('starts while the local stage of cloud-init hangs, and nothing waits for it', async () => {
      await using node = await bootNode({
        ...shape,
        units: { ...shape.units, ...ANALYZER_UNIT, ...stuckStage('cloud-init-local.service') },
        binds: ANALYZER_BIND,
        wait: 'manager',
      });
      await until(
        'the analyzer runs',
        START_LIMIT_MS,
        async () => (await node.shell(`systemctl is-active ${ANALYZER}`, { codes: null })) === 'active',
      );
      await until('the stage hangs', START_LIMIT_MS, async () =>
        /start +running/.test(await node.shell('systemctl list-jobs --no-legend cloud-init-local.service')),
      );
      assert.match(await node.shell('systemctl is-system-running', { codes: null }), /^(?:initializing|starting)$/);
      assert.deepEqual(await property(node, 'Before'), ['shutdown.target']);
      assert.deepEqual(await property(node, 'RequiredBy'), []);
      assert.deepEqual(await cycles(node), []);
    });

    test('a whole boot has no cycle, and systemd-analyze verify no complaint', async () => {
      const standIn = { [EXECUTABLE_ON_NODE]: { text: '#!/bin/sh\nexec sleep infinity\n', mode: 0o755 } };
      await using node = await bootNode({
        ...shape,
        units: { ...shape.units, ...ANALYZER_UNIT },
        files: { ...shape.files, ...standIn },
      });
      assert.deepEqual(await cycles(node), []);
      const verify = await node.exec(
        'systemd-analyze',
        ['verify', '--man=no', ANALYZER, 'cloud-init.target', 'default.target'],
        { codes: null },
      );
      assert.deepEqual({ code: verify.code, stderr: verify.stderr }, { code: 0, stderr: '' });
      const kubelet = name === 'Ubuntu' ? 'snap.kubelet-eks.daemon' : 'kubelet';
      assert.equal(await node.shell(`systemctl is-active ${kubelet}`), 'active');
    });
  });

test('a boot does not fail or wait where the executable is missing', async () => {
  await using node = await bootNode({ units: ANALYZER_UNIT });
  assert.equal(await node.shell('systemctl is-active multi-user.target'), 'active');
  assert.equal((await property(node, 'ActiveState'))[0], 'activating', 'it is tried again');
  await until(
    'it is given up',
    60_000,
    async () =>
      (await property(node, 'Result'))[0] === 'start-limit-hit' ||
      (await property(node, 'ActiveState'))[0] === 'failed',
  );
});

test('gives what it runs the powers, places and environment that it says', async () => {
  const probe = `#!/bin/sh
    cd /var/lib/eks-bootstrap-analyzer || exit 1
    grep -E '^(Cap(Eff|Bnd)|NoNewPrivs|Seccomp):' /proc/self/status >status
    env | cut -d= -f1 | sort >environment
    for place in /etc /usr/local/bin /var/lib /var/log /tmp /home /root /run; do touch $place/x 2>/dev/null && echo $place; done >writable
    mkdir /sys/fs/cgroup/x 2>/dev/null && echo /sys/fs/cgroup >>writable
    cmp -s /proc/sys/kernel/random/boot_id /proc/1/root/proc/sys/kernel/random/boot_id || echo another /proc >>writable
    for place in /var/lib /var/log /run; do touch $place/eks-bootstrap-analyzer/x && stat -c '%a %n' $place/eks-bootstrap-analyzer; done >own
    mount -t tmpfs tmpfs /mnt 2>/dev/null && echo mounted >mounted
    echo hello >/dev/console
    exec sleep infinity`;
  await using node = await bootNode({
    units: ANALYZER_UNIT,
    files: {
      [EXECUTABLE_ON_NODE]: { text: probe, mode: 0o755 },
      '/etc/systemd/system.conf.d/left-over.conf':
        '[Manager]\nDefaultEnvironment=NODE_V8_COVERAGE=/var/log/eks-bootstrap-analyzer NODE_COMPILE_CACHE=/tmp NODE_OPTIONS=--inspect NODE_EXTRA_CA_CERTS=/tmp/ca.pem HTTPS_PROXY=http://10.0.0.1:3128\n',
    },
  });
  const read = async (name: string): Promise<string[]> =>
    (await node.shell(`cat /var/lib/eks-bootstrap-analyzer/${name}`)).split('\n').filter(Boolean);
  await until('it has greeted', START_LIMIT_MS, () => node.console().includes('hello'));
  const powers = (1 << 2) | (1 << 19); // CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE
  const hex = powers.toString(16).padStart(16, '0');
  assert.deepEqual(await read('status'), [`CapEff:\t${hex}`, `CapBnd:\t${hex}`, 'NoNewPrivs:\t1', 'Seccomp:\t2']);
  const environment = await read('environment');
  assert.ok(environment.includes('HTTPS_PROXY'));
  assert.deepEqual(
    environment.filter((variable) => variable.startsWith('NODE_')),
    [],
  );
  assert.deepEqual(await read('writable'), []);
  assert.deepEqual(
    await read('own'),
    ['/var/lib', '/var/log', '/run'].map((place) => `700 ${place}/eks-bootstrap-analyzer`),
  );
  assert.equal(await node.shell('ls /var/lib/eks-bootstrap-analyzer/mounted', { codes: [2] }), '');
});

test('caps what it costs', async () => {
  await using node = await bootNode({ units: ANALYZER_UNIT, binds: ANALYZER_BIND });
  const names = [
    'CPUQuotaPerSecUSec',
    'MemoryMax',
    'IOWeight',
    'CPUWeight',
    'Nice',
    'TasksMax',
    'OOMScoreAdjust',
    'Type',
    'TimeoutStopUSec',
    'RuntimeMaxUSec',
  ];
  const shown = await node.shell(`systemctl show ${ANALYZER} ${names.map((name) => `-p ${name}`).join(' ')}`);
  assert.deepEqual(Object.fromEntries(shown.split('\n').map((line) => line.split('=', 2))), {
    CPUQuotaPerSecUSec: '500ms',
    MemoryMax: String(256 * 1024 * 1024),
    IOWeight: '10',
    CPUWeight: '20',
    Nice: '10',
    TasksMax: '256',
    OOMScoreAdjust: '500',
    Type: 'exec',
    TimeoutStopUSec: '5s',
    RuntimeMaxUSec: '30min',
  });
});

test('the drop-in for systemd 219 holds only directives that systemd knows, if by older names', async () => {
  const dropIn = readFileSync(join(ROOT, 'systemd', 'al2.conf'), 'utf8');
  const standIn = { [EXECUTABLE_ON_NODE]: { text: '#!/bin/sh\nexec sleep infinity\n', mode: 0o755 } };
  await using node = await bootNode({
    units: { ...ANALYZER_UNIT, [`${ANALYZER}.d/al2.conf`]: dropIn },
    files: standIn,
  });
  assert.equal(await node.shell(`systemctl is-active ${ANALYZER}`), 'active');
  const { stderr } = await node.exec('systemd-analyze', ['verify', ANALYZER], { codes: null });
  assert.doesNotMatch(stderr, /Unknown|ignoring|Failed to parse/);
});

async function property(node: TestNode, name: string): Promise<string[]> {
  return (await node.shell(`systemctl show --value -p ${name} ${ANALYZER}`)).split(/\s+/).filter(Boolean);
}

async function cycles(node: TestNode): Promise<(string | undefined)[]> {
  const entries = await node.journal(['-b', '_PID=1']);
  return entries
    .map((entry) => entry['MESSAGE'])
    .filter((message) => /ordering cycle|deleted to break/i.test(message ?? ''));
}
