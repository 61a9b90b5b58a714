// Gives the executable of a release its own loader and C library, for systems whose glibc is older than Node needs (Amazon Linux 2).
//
// The program alone uses them: the path of the libraries stands in the executable (RPATH), not in the environment, so its children
// run with the host's. RPATH and not RUNPATH, since it also holds for what the host's name services (nsswitch.conf) load.

import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NAME } from '../project.ts';
import { run } from '../run.ts';

export const INSTALL_FOLDER = `/opt/${NAME}`;
const SUITE = 'bookworm';
const LOADER = 'ld-linux-x86-64.so.2';
/** Some are empty since glibc 2.34, but named by Node and by modules of the host's name services. */
const FROM_GLIBC = ['libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1', 'libresolv.so.2'];
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'lib/x86_64-linux-gnu': [LOADER, ...FROM_GLIBC, 'libgcc_s.so.1'],
  'usr/lib/x86_64-linux-gnu': ['libstdc++.so.6'],
};
/** Debian package → folder of its documents, licence. */
const PACKAGES = {
  libc6: ['libc6', 'LGPL-2.1-or-later'],
  'libstdc++6': ['gcc-12-base', 'GPL-3.0-or-later WITH GCC-exception-3.1'],
  'libgcc-s1': ['gcc-12-base', 'GPL-3.0-or-later WITH GCC-exception-3.1'],
} as const;
/** Whole texts of the licences that Debian's files refer to. */
const COMMON_LICENCES = ['LGPL-2.1', 'GPL-3'];

/** Needs mmdebstrap (which checks Debian's signatures) and patchelf. To be done after Node's program was injected: the other order breaks it. */
export async function addPrivateLoader(release: string): Promise<void> {
  const debian = await mkdtemp(join(tmpdir(), 'eks-bootstrap-analyzer-libraries-'));
  try {
    const root = join(debian, 'root.tar');
    const include = `--include=${[...Object.keys(PACKAGES), 'base-files'].join(',')}`;
    await run('mmdebstrap', ['--quiet', '--variant=extract', '--architectures=amd64', include, SUITE, root], debian);
    await run('tar', ['-xf', root, '-C', debian, './lib', './usr'], debian);
    await mkdir(join(release, 'lib'));
    for (const [folder, names] of Object.entries(LIBRARIES))
      for (const name of names) await place(join(debian, folder, name), join(release, 'lib', name));
    await addPapers(release, join(debian, 'usr/share'));
  } finally {
    await rm(debian, { recursive: true });
  }
  await usePrivateLoader(join(release, 'bin', NAME), INSTALL_FOLDER);
}

/** `folder`: the release's, where it is to stand; the kernel wants the loader's whole path, the loader finds its libraries beside it. */
export async function usePrivateLoader(executable: string, folder: string): Promise<void> {
  const rpath = ['--force-rpath', '--set-rpath', '$ORIGIN/../lib'];
  await run('patchelf', ['--set-interpreter', `${folder}/lib/${LOADER}`, ...rpath, executable], '/');
}

async function place(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, to.endsWith(LOADER) ? 0o755 : 0o644);
}

/** The licences, and in the bill of materials the packages with their versions, by which Debian keeps their sources. */
async function addPapers(release: string, share: string): Promise<void> {
  const bill = join(release, `${NAME}.cdx.json`);
  const { components, ...rest } = JSON.parse(await readFile(bill, 'utf8')) as { components: object[] };
  const licences = new Map<string, string>();
  for (const [name, [papers, licence]] of Object.entries(PACKAGES)) {
    const version = versionIn(gunzipSync(await readFile(join(share, 'doc', papers, 'changelog.Debian.gz'))).toString());
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=amd64`;
    components.push({ type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: licence }] });
    const text = await readFile(join(share, 'doc', papers, 'copyright'), 'utf8');
    licences.set(text, [licences.get(text), `${name} ${version}`].filter(Boolean).join(', '));
  }
  for (const name of COMMON_LICENCES) licences.set(await readFile(join(share, 'common-licenses', name), 'utf8'), name);
  await writeFile(bill, `${JSON.stringify({ ...rest, components }, null, 2)}\n`);
  const texts = [...licences].map(
    ([text, names]) => `${names}, from Debian, which has the sources\n\n${text.trim()}\n`,
  );
  await writeFile(join(release, 'lib', 'LICENSES.txt'), texts.join(`\n${'='.repeat(80)}\n\n`));
}

/** `package (version) suite; urgency=…` */
function versionIn(changelog: string): string {
  const version = /^\S+ \((?<version>[^)]+)\)/.exec(changelog)?.groups?.['version'];
  if (version === undefined) throw new Error('a changelog of Debian that begins with no version');
  return version;
}
