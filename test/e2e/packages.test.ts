// The packages, by dpkg on a node and by rpm in a root of its own: installed, upgraded, removed, and nothing stays that is theirs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePackages } from '../../build/release/package.ts';
import { run } from '../../build/run.ts';
import { tempFolder } from '../build/temp-folder.ts';
import { baseRootfs } from './base-rootfs.ts';
import { bootNode } from './node.ts';
import { HERE, layOutSmallRelease } from './small-release.ts';

const UNIT = 'eks-bootstrap-analyzer.service';
/** All that bears the name, but what the test itself put there. */
const LEFT = 'find / -xdev -name "*eks-bootstrap-analyzer*" ! -path "/proc/*" ! -path "/srv/*" | sort';
const VERDICTS = '/var/log/eks-bootstrap-analyzer/verdicts.jsonl';
const KEEP_A_VERDICT = `touch ${VERDICTS}`;

test('the same release gives the same packages', async (t) => {
  const folder = tempFolder(t, {});
  const release = await layOutSmallRelease(folder, { version: '1.0.0' });
  for (const name of ['a', 'b'])
    await makePackages({ flavour: HERE, version: '1.0.0' }, release, join(folder, name), true);
  for (const kind of ['deb', 'rpm'])
    assert.ok(readFileSync(join(folder, `a.${kind}`)).equals(readFileSync(join(folder, `b.${kind}`))), kind);
});

test('.deb: a node gets it, keeps what was disabled over an upgrade, and is as before in the end', async (t) => {
  const folder = tempFolder(t, {});
  for (const version of ['1.0.0', '1.1.0', '1.1.0-rc.1'])
    await makePackages(
      { flavour: HERE, version },
      await layOutSmallRelease(folder, { version }),
      join(folder, version),
      true,
    );
  await using node = await bootNode({ binds: { '/srv': folder } });
  // dpkg takes away an empty /opt too, as it does after every package of that folder.
  const all = 'find /opt /usr /etc ! -name "*.timer" ! -path /opt | sort';
  const before = await node.shell(all);

  await node.shell('dpkg --install /srv/1.0.0.deb');
  assert.equal(
    await node.shell(`systemctl is-enabled ${UNIT}; systemctl is-active ${UNIT}`, { codes: null }),
    'enabled\ninactive',
  );
  await node.shell(`systemctl start ${UNIT}; eks-bootstrap-analyzer --version`);
  assert.equal(await node.shell(`systemctl is-active ${UNIT}; dpkg --verify eks-bootstrap-analyzer`), 'active');

  await node.shell(`systemctl disable ${UNIT}; dpkg --install /srv/1.1.0-rc.1.deb && dpkg --install /srv/1.1.0.deb`);
  assert.equal(
    await node.shell(`sed -n s/^version=//p /opt/eks-bootstrap-analyzer/release; systemctl is-enabled ${UNIT}`, {
      codes: null,
    }),
    '1.1.0\ndisabled',
  );
  assert.equal(await node.shell('dpkg --compare-versions 1.1.0~rc.1 lt 1.1.0 && echo before'), 'before');

  await node.shell(`${KEEP_A_VERDICT}; dpkg --remove eks-bootstrap-analyzer`);
  assert.equal(
    await node.shell(`systemctl is-active ${UNIT}; ls ${VERDICTS}`, { codes: null }),
    `inactive\n${VERDICTS}`,
  );
  assert.equal(await node.shell(`mkdir -p /opt; ${all}`), before);
  await node.shell('dpkg --purge eks-bootstrap-analyzer');
  assert.equal(await node.shell(LEFT), '');

  await node.shell('ln -s somewhere /opt/eks-bootstrap-analyzer');
  const { code, stderr } = await node.exec('dpkg', ['--install', '/srv/1.0.0.deb'], { codes: null });
  assert.notEqual(code, 0);
  assert.match(stderr, /^eks-bootstrap-analyzer: install\.sh has put one here already, remove that first/m);
});

test('.rpm: whole by its own sums, installed, upgraded, verified and removed', async (t) => {
  const folder = tempFolder(t, {});
  for (const version of ['1.0.0', '1.1.0'])
    await makePackages(
      { flavour: HERE, version },
      await layOutSmallRelease(folder, { version }),
      join(folder, version),
      true,
    );
  assert.match(await run('rpm', ['--checksig', '--nosignature', join(folder, '1.0.0.rpm')], '/'), /: digests OK\n$/);
  assert.match(
    await run('rpm', ['-qp', '--requires', join(folder, '1.0.0.rpm')], '/'),
    /^libc\.so\.6\(GLIBC_2\.28\)\(64bit\)$/m,
  );
  // In a root with a shell and systemctl, but without running systemd; its database knows no package, so none that this one needs.
  const script = `set -e
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
    mount -t tmpfs tmpfs "$2/root/run"
    cd "$2"
    in_root() { chroot root /bin/sh -c "$1"; }
    package() { command rpm --root "$PWD/root" --dbpath /rpm-test "$@"; }
    in_root 'find /opt /usr /etc | sort' >before
    package --install --nodeps 1.0.0.rpm
    echo installed "$(package -q eks-bootstrap-analyzer)" "$(in_root 'systemctl is-enabled ${UNIT}')"
    in_root 'eks-bootstrap-analyzer --version && systemctl disable ${UNIT} 2>/dev/null'
    package --upgrade --nodeps 1.1.0.rpm
    echo upgraded "$(package -q eks-bootstrap-analyzer)" "$(in_root 'systemctl is-enabled ${UNIT}' || :)"
    package --verify --nodeps eks-bootstrap-analyzer && echo verified
    in_root '${KEEP_A_VERDICT}'
    package --erase eks-bootstrap-analyzer
    in_root 'find /opt /usr /etc | sort' | cmp - before && echo as before
    in_root '${LEFT}'
    ln -s somewhere root/opt/eks-bootstrap-analyzer
    package --install --nodeps 1.0.0.rpm 2>&1 | grep '^eks-bootstrap-analyzer:'`;
  for (const part of ['upper', 'work', 'root']) await run('mkdir', [join(folder, part)], '/');
  const said = await run('unshare', ['--mount', 'sh', '-c', script, '-', await baseRootfs(), folder], '/');
  assert.deepEqual(said.trimEnd().split('\n'), [
    `installed eks-bootstrap-analyzer-1.0.0-1.${HERE.rpm} enabled`,
    `upgraded eks-bootstrap-analyzer-1.1.0-1.${HERE.rpm} disabled`,
    'verified',
    'as before',
    '/var/log/eks-bootstrap-analyzer',
    'eks-bootstrap-analyzer: install.sh has put one here already, remove that first: sh /opt/eks-bootstrap-analyzer/install.sh --uninstall',
  ]);
});
