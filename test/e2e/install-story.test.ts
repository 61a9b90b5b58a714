// A real release from its first day to its last: installed on a node whose containerd is broken, the next boot's verdict in a
// CloudWatch Logs that is not ours, an upgrade (to the flavour with a loader of its own, where there is one), the removal.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectVersion } from '../../build/project.ts';
import { archive } from '../../build/release/archive.ts';
import { FLAVOURS } from '../../build/release/flavours.ts';
import { contentOf, layOutRelease } from '../../build/release/release-folder.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { bridge, GROUP, INSTANCE } from './delivery/delivering-node.ts';
import { prepareMoto, startMoto } from './moto.ts';
import { bootNode } from './node.ts';
import { al2023ContainerdCrashLoop as broken } from './scenarios/al2023-containerd-crash-loop.ts';
import { HERE } from './small-release.ts';
import { until } from './until.ts';
import { verdictLike } from './verdicts.ts';
import { endpointOf } from './vpc.ts';

const LEFT =
  'find / -xdev -name "*eks-bootstrap-analyzer*" ! -path "/proc/*" ! -path "/usr/local/sbin/*" ! -path "/var/log/journal/*" | sort';
const VERDICT_LIMIT_MS = 60_000;
const NEXT = '9.9.9';
const WITH_LOADER = FLAVOURS.find(({ arch, glibc }) => arch === HERE.arch && glibc === null) ?? HERE;
const missing = await prepareMoto();

test('install, boot, verdict in moto, upgrade, removal', { skip: missing ?? false }, async (t) => {
  const folder = tempFolder(t, {});
  const releases: Record<string, { file: string; sum: string }> = {};
  for (const [version, flavour] of [
    [projectVersion(), HERE],
    [NEXT, WITH_LOADER],
  ] as const) {
    await layOutRelease(contentOf(flavour, version), join(folder, version));
    const [file = ''] = await archive(join(folder, version), join(folder, `release-${version}`), true);
    releases[version] = { file, sum: createHash('sha256').update(readFileSync(file)).digest('hex') };
  }
  const moto = await startMoto(t);
  await moto.cli('logs', 'create-log-group', '--log-group-name', GROUP);
  const { path } = await bridge(t, { port: Number(new URL(moto.url).port) });
  const installer = join(folder, 'install.sh');
  renameSync(join(folder, NEXT, 'install.sh'), installer);
  await using node = await bootNode({
    ...broken.node,
    wait: 'manager',
    binds: { '/usr/local/sbin/zstd': '/usr/bin/zstd', '/usr/local/sbin/install.sh': installer },
    vpc: {
      logs: path,
      bucket: Object.fromEntries(Object.entries(releases).map(([version, { file }]) => [`/bucket/${version}`, file])),
    },
  });
  const install = (version: string, ...more: readonly string[]): Promise<string> => {
    const from = ['--from', `https://${endpointOf('s3')}/bucket/${version}`, '--sha256', releases[version]!.sum];
    return node.shell(`sh /usr/local/sbin/install.sh ${[...from, ...more].join(' ')}`);
  };
  assert.equal(await install(projectVersion()), `eks-bootstrap-analyzer: version ${projectVersion()} is installed`);

  await node.reboot();
  await verdictLike(node, broken.expected, VERDICT_LIMIT_MS);
  const read = await until('the verdict in moto', VERDICT_LIMIT_MS, async () => {
    const events = await moto.readBack(GROUP, INSTANCE).catch(() => []);
    return events.length > 0 && events;
  });
  assert.equal(read.at(-1)!['causeId'], broken.expected.cause);

  assert.equal(await install(NEXT, '--now'), `eks-bootstrap-analyzer: version ${NEXT} is installed`);
  assert.equal(await node.shell('eks-bootstrap-analyzer --version'), projectVersion());

  await node.shell('sh /opt/eks-bootstrap-analyzer/install.sh --uninstall');
  assert.equal(await node.shell('systemctl is-active eks-bootstrap-analyzer', { codes: null }), 'inactive');
  assert.match(await node.shell(LEFT), /^(?:\/var\/lib\/eks-bootstrap-analyzer\n)?\/var\/log\/eks-bootstrap-analyzer$/);
  await node.shell('sh /usr/local/sbin/install.sh --uninstall --purge');
  assert.equal(await node.shell(LEFT), '');
});
