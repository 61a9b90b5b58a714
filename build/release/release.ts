// `npm run release`: of the built executables everything that is published, in dist/release/, with sums and, given a key, their signature.
//   --flavour NAME   only this one; may stand several times
//   --key FILE       secret key of minisign, without a password
//   --quick          larger files in seconds, for tests

import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { atMost, recordBar } from '../bars.ts';
import { DIST, NAME, projectVersion, ROOT, MEGABYTES_ON_DISK_MAX } from '../project.ts';
import { archive } from './archive.ts';
import { FLAVOURS } from './flavours.ts';
import { makePackages } from './package.ts';
import { sign } from './sign.ts';
import { contentOf, layOutRelease, writeSums } from './release-folder.ts';

export const RELEASE = join(DIST, 'release');
/** Program → Debian package. */
const NEEDED = {
  'dpkg-deb': 'dpkg',
  rpmbuild: 'rpm',
  tar: 'tar',
  gzip: 'gzip',
  zstd: 'zstd',
  mmdebstrap: 'mmdebstrap',
  patchelf: 'patchelf',
};

/** Packages hold xz. */
const MEGABYTES_MAX: Readonly<Record<string, number>> = { '.zst': 33, '.deb': 29, '.rpm': 29 };

const { values } = parseArgs({
  options: {
    flavour: { type: 'string', multiple: true },
    key: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const flavours = FLAVOURS.filter(({ name }) => values.flavour?.includes(name) ?? true);
if (flavours.length === 0) stop(`no such flavour, there are: ${FLAVOURS.map(({ name }) => name).join(' ')}`);
const missing = Object.entries(NEEDED).filter(([program]) => spawnSync('which', [program]).status !== 0);
if (missing.length > 0)
  stop(`missing: ${missing.map(([program, name]) => `${program} (apt-get install ${name})`).join(', ')}`);

await rm(RELEASE, { recursive: true, force: true });
await mkdir(RELEASE, { recursive: true });
const version = projectVersion();
const work = await mkdtemp(join(DIST, '.release-'));
try {
  for (const flavour of flavours) {
    const name = `${NAME}-${version}-${flavour.name}`;
    const folder = join(work, name);
    const content = contentOf(flavour, version);
    await layOutRelease(content, folder);
    recordBar(
      atMost({ bar: `${name} on disk`, unit: 'MB', wanted: MEGABYTES_ON_DISK_MAX, seen: await megabytesIn(folder) }),
    );
    const target = join(RELEASE, name);
    const files = [
      ...(await archive(folder, target, values.quick)),
      ...(await makePackages(content, folder, target, values.quick)),
    ];
    for (const file of files) {
      const megabytes = (await stat(file)).size / 1e6;
      const wanted = values.quick ? undefined : MEGABYTES_MAX[extname(file)];
      if (wanted === undefined) console.log(`${megabytes.toFixed(1).padStart(7)} MB  ${basename(file)}`);
      else recordBar(atMost({ bar: `download of ${basename(file)}`, unit: 'MB', wanted, seen: megabytes }));
    }
    await rm(folder, { recursive: true });
  }
} finally {
  await rm(work, { recursive: true });
}
await copyFile(join(ROOT, 'deploy/install.sh'), join(RELEASE, 'install.sh'));
await writeSums(RELEASE);
if (values.key === undefined) console.log('SHA256SUMS is not signed: no --key was given');
else await sign(join(RELEASE, 'SHA256SUMS'), values.key, `${NAME} ${version}`);

async function megabytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0) / 1e6;
}

function stop(reason: string): never {
  console.error(`npm run release: ${reason}`);
  process.exit(2);
}
