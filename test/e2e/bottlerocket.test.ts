// The image for Bottlerocket, built of a release by the shipped Dockerfile without a network (Debian stands in for its base, whose
// package manager installs nothing), and run as a bootstrap container over the root of a host with a real journal.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { archive } from '../../build/release/archive.ts';
import { contentOf, layOutRelease } from '../../build/release/release-folder.ts';
import { projectVersion, ROOT } from '../../build/project.ts';
import { run } from '../../build/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { findCommand } from '../../src/host/processes/run-child.ts';
import { makeJournal, NO_JOURNAL_MAKER } from '../sources/make-journal.ts';
import { baseRootfs, CACHE } from './base-rootfs.ts';
import { HERE } from './small-release.ts';

const FOLDER = join(ROOT, 'deploy/bottlerocket');
/** As the Dockerfile names it. */
const BASE = 'public.ecr.aws/amazonlinux/amazonlinux:2023';
const DNF = '#!/bin/sh\n[ "$1" = install ] || [ "$1" = clean ]\n';
/** What a container of this kind has no use for. */
const LEFT_OUT = ['usr/bin/containerd*', 'usr/share', 'usr/lib/python3*', 'usr/lib/gcc', 'var/cache'];
const LIMIT_MS = 90_000;
const PATIENCE_MS = 20_000;
const LINE =
  'E0506 08:00:20.123456    2711 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"';

const missing = findCommand('buildah') === null ? 'buildah is not installed' : NO_JOURNAL_MAKER;

test(
  'the image is built, and as a bootstrap container it names the cause and lets the boot go on',
  { skip: missing },
  async (t) => {
    const folder = tempFolder(t, { 'context/fake/dnf': DNF });
    const context = join(folder, 'context');
    // Not in the temporary folder, which may be one that overlays cannot be made on.
    const storage = join(CACHE, `images-${process.pid}`);
    const stores = ['--storage-driver', 'overlay', '--root', join(storage, 'root'), '--runroot', join(storage, 'run')];
    const buildah = async (...args: readonly string[]): Promise<string> =>
      (await promisify(execFile)('buildah', [...stores, ...args], { cwd: '/', timeout: LIMIT_MS })).stdout.trim();
    t.after(async () => {
      await buildah('rm', '--all');
      await run('sh', ['-c', `! mountpoint -q ${storage}/root/overlay || umount ${storage}/root/overlay`], '/');
      rmSync(storage, { recursive: true });
    });

    await layOutRelease(contentOf(HERE, projectVersion()), join(folder, 'release'));
    const [, release = ''] = await archive(join(folder, 'release'), join(context, 'release'), true);
    copyFileSync(join(FOLDER, 'entrypoint.sh'), join(context, 'entrypoint.sh'));
    chmodSync(join(context, 'fake/dnf'), 0o755);
    const root = join(context, 'base.tar');
    await run(
      'tar',
      ['-C', await baseRootfs(), ...LEFT_OUT.map((path) => `--exclude=./${path}`), '-cf', root, '.'],
      '/',
    );
    const base = await buildah('from', 'scratch');
    await buildah('add', '--quiet', base, root, '/');
    await buildah('copy', '--quiet', base, join(context, 'fake/dnf'), '/usr/bin/dnf');
    await buildah('commit', '--quiet', base, BASE);

    const build = [
      '--isolation',
      'chroot',
      '--pull-never',
      '--build-arg',
      `RELEASE=${release.slice(context.length + 1)}`,
    ];
    await buildah('bud', '--quiet', ...build, '--file', join(FOLDER, 'Dockerfile'), '--tag', 'analyzer', context);
    const format = '{{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.User}} {{.OCIv1.Config.ExposedPorts}} {{.OCIv1.OS}}';
    assert.equal(
      await buildah('inspect', '--type', 'image', '--format', format, 'analyzer'),
      '[/entrypoint.sh]  map[] linux',
    );

    const host = join(folder, 'host');
    for (const path of ['rootfs/etc', 'rootfs/proc', 'current']) mkdirSync(join(host, path), { recursive: true });
    await run(
      'sh',
      ['-c', `printf 'NAME=Bottlerocket\\nID=bottlerocket\\nVERSION_ID=1.50.0\\n' >rootfs/etc/os-release`],
      host,
    );
    const line = { unit: 'kubelet.service', identifier: 'kubelet', message: LINE };
    const boot = {
      bootId: 'b'.repeat(32),
      startMs: Date.now() - 60_000,
      entries: 3,
      everyUs: 1_000_000,
      line: () => line,
    };
    await makeJournal(join(host, `rootfs/var/log/journal/${'a'.repeat(32)}/system.journal`), [boot]);
    const container = await buildah('from', 'analyzer');
    const mounts = ['rootfs:/.bottlerocket/rootfs:ro', 'current:/.bottlerocket/bootstrap-containers/current:ro'];
    const volumes = mounts.flatMap((mount) => ['--volume', join(host, mount)]);
    const startMs = performance.now();
    const said = await buildah('run', '--isolation', 'chroot', ...volumes, container, '--', '/entrypoint.sh');
    assert.match(said, /^(?:eks-bootstrap-analyzer: )?FAILED: [^\n]*swap-enabled/);
    assert.ok(performance.now() - startMs < PATIENCE_MS);
  },
);
