// Puts the pinned Node binary of a processor at a path: copied from node_modules, or fetched by npm and verified against the lock file.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { CACHE, ROOT, hostArch, lockedPackage, type Arch, type LockedPackage } from './project.ts';
import { run } from './run.ts';

const BINARY_IN_PACKAGE = 'bin/node';

/** The binary that npm installed for this machine's processor. */
export function installedBinary(): string {
  return join(ROOT, 'node_modules', `node-linux-${hostArch()}`, BINARY_IN_PACKAGE);
}

export async function placeBaseBinary(arch: Arch, target: string): Promise<void> {
  if (arch === hostArch()) await copyFile(installedBinary(), target, constants.COPYFILE_FICLONE);
  else
    await writeFile(
      target,
      await readFromTarball(await verifiedTarball(lockedPackage(`node-linux-${arch}`)), `package/${BINARY_IN_PACKAGE}`),
    );
  await chmod(target, 0o755);
}

/** From the cache when its checksum holds, else fetched anew; throws if what npm delivers has another checksum. */
async function verifiedTarball(locked: LockedPackage): Promise<Buffer> {
  const file = join(CACHE, `${locked.name}-${locked.version}.tgz`);
  if (await exists(file)) {
    const cached = await readFile(file);
    if (hasIntegrity(cached, locked.integrity)) return cached;
    await rm(file);
  }
  await mkdir(CACHE, { recursive: true });
  await run('npm', ['pack', `${locked.name}@${locked.version}`, '--pack-destination', CACHE], ROOT);
  const fetched = await readFile(file);
  if (hasIntegrity(fetched, locked.integrity)) return fetched;
  await rm(file);
  throw new Error(`${locked.name}@${locked.version} as fetched does not have the checksum of package-lock.json`);
}

/** `integrity` holds one or more `<algorithm>-<base64>` separated by blanks; only sha512 counts. */
export function hasIntegrity(bytes: Uint8Array, integrity: string): boolean {
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  return integrity.split(' ').includes(digest);
}

/** The bytes of one file of a gzipped tarball; throws if it is not there. */
export async function readFromTarball(tarball: Uint8Array, path: string): Promise<Buffer> {
  const entries = extract();
  entries.end(gunzipSync(tarball));
  for await (const entry of entries) {
    if (entry.header.name === path) return buffer(entry);
    entry.resume();
  }
  throw new Error(`the tarball has no ${path}`);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
