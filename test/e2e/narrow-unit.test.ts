// The shipped unit where a node leaves it little: nothing below /var can be written, and 64 files may be open. The verdict is said all
// the same, and the journal that it lands in names the analyzer once a line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../src/types.ts';
import { bootNode } from './node.ts';
import { al2, BOOTSTRAPPED } from './shapes/al2.ts';
import { ANALYZER, ANALYZER_BIND, ANALYZER_UNIT } from './shapes/analyzer.ts';
import { RUNS_ON, STARTED } from './shapes/kubelet.ts';
import { until } from './until.ts';

const SAID_LIMIT_MS = 90_000;
const NAME = 'eks-bootstrap-analyzer';
/** The list of what may be written is emptied: `ProtectSystem=strict` leaves /run alone. */
const NARROW = '[Service]\nReadWritePaths=\nLimitNOFILE=64\n';
const NO_TEMPLATE = `rm /etc/eks/containerd/containerd-config.toml\n${BOOTSTRAPPED}`;

test('says the verdict with a read-only /var and 64 open files, each line of the journal once by name', async () => {
  const shape = al2({ bootstrap: NO_TEMPLATE, pullSandboxImage: 'true', kubelet: `${STARTED}${RUNS_ON}` });
  await using node = await bootNode({
    ...shape,
    units: { ...shape.units, ...ANALYZER_UNIT, [`${ANALYZER}.d/narrow.conf`]: NARROW },
    binds: ANALYZER_BIND,
  });
  const said = await until('a verdict in /run', SAID_LIMIT_MS, async () => {
    const text = await node.shell(`cat /run/${NAME}/verdict.json`, { codes: null });
    return text.includes('containerd-config-missing') ? (JSON.parse(text) as Verdict) : null;
  });
  assert.deepEqual([said.status, said.cause?.id], ['failed', 'containerd-config-missing']);
  const limits = await node.shell(`cat /proc/$(systemctl show --value -p MainPID ${ANALYZER})/limits`);
  assert.match(limits, /^Max open files +64 +64 /m);
  assert.equal(await node.shell(`systemctl show --value -p NRestarts ${ANALYZER}`), '0');
  assert.equal(await node.shell(`ls -A /var/log/${NAME} /var/lib/${NAME} | grep -v :`, { codes: null }), '');

  const lines = (await node.journal(['-b', '-u', ANALYZER, `_SYSTEMD_UNIT=${ANALYZER}`])).filter(
    ({ SYSLOG_IDENTIFIER }) => SYSLOG_IDENTIFIER === NAME,
  );
  assert.ok(lines.some(({ MESSAGE }) => MESSAGE?.startsWith('FAILED: ')));
  assert.deepEqual(
    lines.filter(({ MESSAGE = '' }) => MESSAGE.trim() === '' || MESSAGE.startsWith(`${NAME}:`)),
    [],
  );
});
