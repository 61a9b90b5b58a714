// The user data that users copy: on a node whose image has no analyzer it brings one, and whatever goes wrong, the boot does not notice.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../../build/project.ts';
import { bootNode, EXECUTABLE, EXECUTABLE_ON_NODE, type TestNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';
import { al2023, CONFIGURED, RAN } from './shapes/al2023.ts';
import { ANALYZER } from './shapes/analyzer.ts';
import { seed } from './shapes/cloud-init.ts';
import { CNI_READY, READY, REGISTERED, RUNS_ON, STARTED } from './shapes/kubelet.ts';
import { verdictLike } from './verdicts.ts';
import { endpointOf } from './vpc.ts';

const HOST = endpointOf('s3');
const SUM = createHash('sha256').update(readFileSync(EXECUTABLE)).digest('hex');
const VERDICT_LIMIT_MS = 60_000;
/** Of cloud-init's final stage, whose own work takes about half a second. */
const STAGE_LIMIT_SECONDS = 5;

function node(sum: string, more: NodeOptions['vpc']): NodeOptions {
  const script = readFileSync(join(ROOT, 'deploy/user-data.sh'), 'utf8')
    .replace(/^URL=.*$/m, `URL=https://${HOST}/bucket/analyzer`)
    .replaceAll(/^(?<name>SHA256_\w+)=.*$/gm, `$<name>=${sum}`);
  const kubelet = `${STARTED}\nsleep 3\n${REGISTERED}\n${CNI_READY}\n${READY}${RUNS_ON}`;
  return {
    ...al2023({ nodeadmConfig: CONFIGURED, nodeadmRun: RAN, kubelet }, seed(script)),
    vpc: {
      node: { status: 200, isReady: true },
      bucket: { '/bucket/analyzer-linux-x64': EXECUTABLE, '/bucket/analyzer-linux-arm64': EXECUTABLE },
      ...more,
    },
  };
}

describe('user data', { concurrency: 3 }, () => {
  test('brings the analyzer and runs it to its final verdict', async () => {
    await using booted = await bootNode(node(SUM, {}));
    await assertUndisturbed(booted);
    await verdictLike(booted, { status: 'ready', cause: null, final: true }, VERDICT_LIMIT_MS);
    assert.equal(
      await booted.shell(`stat -c '%a %U' ${EXECUTABLE_ON_NODE}; ls /usr/local/bin`),
      '755 root\neks-bootstrap-analyzer',
    );
  });

  test('starts nothing that has another checksum', async () => {
    await using booted = await bootNode(node('0'.repeat(64), {}));
    await assertUndisturbed(booted);
    await booted.shell(`for i in $(seq 100); do systemctl is-active --quiet ${ANALYZER} || break; sleep 0.1; done`);
    const said = (await booted.journal(['-t', 'eks-bootstrap-analyzer'])).map(({ MESSAGE }) => MESSAGE);
    assert.deepEqual(said, [
      `eks-bootstrap-analyzer: not started, the checksum of https://${HOST}/bucket/analyzer-linux-${process.arch} is not the expected one`,
    ]);
    assert.equal(await booted.shell('ls /usr/local/bin'), '');
  });

  test('does not hold up the boot where the download hangs', async () => {
    await using booted = await bootNode(node(SUM, { lost: [HOST] }));
    await assertUndisturbed(booted);
    assert.equal(await booted.shell(`systemctl is-active ${ANALYZER}`), 'active');
    assert.equal(await booted.shell(`pgrep --count curl`), '1');
  });

  test('runs without any property on a systemd that knows none of them', async () => {
    const old = '#!/bin/sh\ncase "$*" in *--collect*) exit 1 ;; esac\nexec /usr/bin/systemd-run "$@"\n';
    const options = node(SUM, {});
    await using booted = await bootNode({
      ...options,
      files: { ...options.files, '/usr/local/sbin/systemd-run': { text: old, mode: 0o755 } },
    });
    await assertUndisturbed(booted);
    await verdictLike(booted, { status: 'ready', cause: null, final: true }, VERDICT_LIMIT_MS);
  });

  test('leaves a node alone whose image has the unit', async () => {
    const unit = { [ANALYZER]: '[Service]\nExecStart=/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' };
    const options = node(SUM, {});
    await using booted = await bootNode({ ...options, units: { ...options.units, ...unit } });
    await assertUndisturbed(booted);
    assert.match(await booted.shell(`systemctl show -p ExecStart ${ANALYZER}`), /sleep infinity/);
  });
});

async function assertUndisturbed(booted: TestNode): Promise<void> {
  assert.equal(await booted.shell('systemctl is-system-running'), 'running');
  assert.equal(await booted.shell('systemctl is-active kubelet'), 'active');
  const shown = await booted.shell(
    'systemctl show -p InactiveExitTimestampMonotonic -p ActiveEnterTimestampMonotonic --value cloud-final',
  );
  const [left = 0, entered = 0] = shown
    .split('\n')
    .map(Number)
    .toSorted((a, b) => a - b);
  assert.ok((entered - left) / 1e6 < STAGE_LIMIT_SECONDS, `the final stage took ${(entered - left) / 1e6} s`);
  assert.equal(
    await booted.shell('grep -ci analyzer /var/log/cloud-init-output.log', { codes: [0, 1] }),
    '0',
    'it prints nothing',
  );
}
