// Makes a .deb and an .rpm of a release's folder with the distributions' own tools, dpkg-deb and rpmbuild.

import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { NAME } from '../project.ts';
import { run } from '../run.ts';
import { FILE_TIME } from './archive.ts';
import type { Flavour } from './flavours.ts';
import { DEB_SCRIPTS, RPM_SCRIPTS } from './package-scripts.ts';
import { INSTALL_FOLDER } from './private-loader.ts';
import type { ReleaseContent } from './release-folder.ts';

const SUMMARY = 'Says in one verdict why an EC2 instance did not become a Ready EKS node';
/** Not a package's to touch is /usr/local. */
const [LOCAL, PROGRAM] = [`/usr/local/bin/${NAME}`, `/usr/bin/${NAME}`];
const UNITS = 'usr/lib/systemd/system';

/** Writes `target`.deb, if the flavour has one, and `target`.rpm. Gives the files. */
export async function makePackages(
  content: Pick<ReleaseContent, 'flavour' | 'version'>,
  release: string,
  target: string,
  quick: boolean,
): Promise<string[]> {
  const work = await mkdtemp(join(tmpdir(), 'eks-bootstrap-analyzer-package-'));
  try {
    const root = join(work, 'root');
    await layOutRoot(release, root, content.flavour.glibc === null);
    // Of packages a pre-release is one before, by a sign that both kinds know.
    const version = content.version.replace('-', '~');
    const rpm = await makeRpm(content.flavour, version, root, work, quick);
    await rename(rpm, `${target}.rpm`).catch(() => cp(rpm, `${target}.rpm`));
    if (content.flavour.deb === null) return [`${target}.rpm`];
    await makeDeb(content.flavour, version, root, `${target}.deb`, quick);
    return [`${target}.rpm`, `${target}.deb`];
  } finally {
    await rm(work, { recursive: true });
  }
}

async function layOutRoot(release: string, root: string, isOldSystemd: boolean): Promise<void> {
  const folder = join(root, INSTALL_FOLDER);
  const units = join(root, UNITS);
  await mkdir(join(root, 'usr/bin'), { recursive: true });
  await mkdir(units, { recursive: true });
  await cp(release, folder, { recursive: true, preserveTimestamps: true });
  await symlink(`${INSTALL_FOLDER}/bin/${NAME}`, join(root, PROGRAM));
  const unit = await readFile(join(folder, `systemd/${NAME}.service`), 'utf8');
  await writeFile(join(units, `${NAME}.service`), unit.replaceAll(LOCAL, PROGRAM));
  if (isOldSystemd) {
    await mkdir(join(units, `${NAME}.service.d`));
    await cp(join(folder, 'systemd/al2.conf'), join(units, `${NAME}.service.d/al2.conf`));
  }
  // The package manager's business; the sums would miss them.
  for (const part of ['systemd', 'install.sh', 'SHA256SUMS']) await rm(join(folder, part), { recursive: true });
}

async function makeDeb(
  { deb: arch, glibc }: Flavour,
  version: string,
  root: string,
  file: string,
  quick: boolean,
): Promise<void> {
  const control = join(root, 'DEBIAN');
  await mkdir(control);
  await writeFile(
    join(control, 'control'),
    `Package: ${NAME}
Version: ${version}
Architecture: ${arch}
Maintainer: ${NAME} authors <root@localhost>
Section: admin
Priority: optional
Depends: libc6 (>= ${glibc}), libstdc++6
Description: ${SUMMARY}
`,
  );
  for (const [name, text] of Object.entries(DEB_SCRIPTS)) await writeFile(join(control, name), text, { mode: 0o755 });
  const compression = quick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6'];
  const same = [`SOURCE_DATE_EPOCH=${FILE_TIME}`, 'dpkg-deb', '--root-owner-group'];
  await run('env', [...same, ...compression, '--build', root, file], '/');
  await rm(control, { recursive: true });
}

async function makeRpm(
  { rpm: arch, glibc }: Flavour,
  version: string,
  root: string,
  work: string,
  quick: boolean,
): Promise<string> {
  const macros = {
    _topdir: join(work, 'rpm'),
    _rpmdir: work,
    _rpmfilename: 'made.rpm',
    _dbpath: join(work, 'db'),
    _buildhost: 'localhost',
    // xz and not zstd: the rpm of Amazon Linux 2 knows no other.
    _binary_payload: quick ? 'w1.gzdio' : `w6T${availableParallelism()}.xzdio`,
    use_source_date_epoch_as_buildtime: 1,
    clamp_mtime_to_source_date_epoch: 1,
    // Nothing is to look into the binary or change it.
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    _build_id_links: 'none',
  };
  const needs = glibc === null ? '/bin/sh' : `libc.so.6(GLIBC_${glibc})(64bit), libstdc++.so.6()(64bit)`;
  const scripts = Object.entries(RPM_SCRIPTS).map(([name, text]) => `${name}\n${text}\n`);
  const spec = join(work, 'package.spec');
  await writeFile(
    spec,
    `Name: ${NAME}
Version: ${version}
Release: 1
Summary: ${SUMMARY}
License: MIT
AutoReqProv: no
Requires: ${needs}
%description
${SUMMARY}.
${scripts.join('\n')}
%files
%defattr(-,root,root)
${INSTALL_FOLDER}
${PROGRAM}
/${UNITS}/${NAME}.service*
`,
  );
  const defines = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  const same = [`SOURCE_DATE_EPOCH=${FILE_TIME}`, 'rpmbuild', '--quiet', '-bb', `--target=${arch}-linux`];
  await run('env', [...same, `--buildroot=${root}`, '--noclean', ...defines, spec], work);
  return join(work, 'made.rpm');
}
