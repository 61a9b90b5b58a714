// An image with the analyzer, booted by somebody who wants no node: nodeadm finds no NodeConfig, and nothing of that is a failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootNode } from './node.ts';
import { al2023 } from './shapes/al2023.ts';
import { ANALYZER, ANALYZER_BIND, ANALYZER_UNIT } from './shapes/analyzer.ts';
import { seed } from './shapes/cloud-init.ts';
import { until } from './until.ts';
import { verdictsOf } from './verdicts.ts';

/** Three minutes after boot comes the first report. */
const SHORTLY_BEFORE_SECONDS = 165;
const LIMIT_MS = 60_000;
const NO_NODE_CONFIG = `nodeadm_json fatal nodeadm/main.go:36 'Command failed' ',"error":"could not find NodeConfig within UserData"'\nexit 1`;

test('watch says once that nothing asks this instance to join, and ends without a failure', async () => {
  const { vpc: _none, ...shape } = al2023(
    { nodeadmConfig: NO_NODE_CONFIG, nodeadmRun: 'exit 1', kubelet: 'exit 1' },
    seed('#!/bin/sh\necho "a bastion"\n'),
  );
  await using node = await bootNode({
    ...shape,
    units: { ...shape.units, ...ANALYZER_UNIT },
    binds: ANALYZER_BIND,
    uptimeSeconds: SHORTLY_BEFORE_SECONDS,
  });
  const state = (): Promise<string> => node.shell(`systemctl show -p ActiveState -p Result --value ${ANALYZER}`);
  await until('the end of watch', LIMIT_MS, async () => (await state()).includes('inactive'));
  assert.deepEqual((await state()).split('\n').toSorted(), ['inactive', 'success']);
  const said = (await node.journal(['-u', ANALYZER])).map(({ MESSAGE }) => String(MESSAGE)).join('\n');
  assert.match(said, /UNKNOWN/);
  assert.match(said, /There is no sign that this instance should join a cluster/);
  assert.doesNotMatch(said, /FAILED|nodeconfig-missing/);
  assert.deepEqual(verdictsOf(node), []);
  assert.equal(await node.shell('ls -A /var/lib/eks-bootstrap-analyzer/spool 2>/dev/null | wc -l'), '0');
});
