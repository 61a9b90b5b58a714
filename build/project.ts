// The project's own names, folders and pinned versions; reads package.json and the lock file, writes nothing.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
export const DIST = join(ROOT, 'dist');
export const CACHE = join(ROOT, 'node_modules', '.cache', 'eks-bootstrap-analyzer');

/** Path of a tool that npm installed; works without npm's PATH. */
export function tool(name: string): string {
  return join(ROOT, 'node_modules', '.bin', name);
}

export const NAME = 'eks-bootstrap-analyzer';
export const BUNDLE = join(DIST, `${NAME}.cjs`);

/** On disk: an executable, and a release with all that is beside it. */
export const MEGABYTES_ON_DISK_MAX = 115;

export const ARCHES = ['x64', 'arm64'] as const;
export type Arch = (typeof ARCHES)[number];

export function executablePath(arch: Arch): string {
  return join(DIST, `${NAME}-linux-${arch}`);
}

/** The processor that this build runs on. Throws anywhere but on Linux x64 and arm64: no pinned Node stands ready there. */
export function hostArch(): Arch {
  const arch = ARCHES.find((known) => known === process.arch);
  if (process.platform !== 'linux' || arch === undefined) {
    throw new Error(`the executables are built on linux x64 or arm64, this is ${process.platform} ${process.arch}`);
  }
  return arch;
}

export function projectVersion(): string {
  const { version } = readJson('package.json') as { version: string };
  return version;
}

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of the tarball, `sha512-<base64>`. */
  readonly integrity: string;
}

/** Version and checksum of a direct dependency; throws if the lock file has none. */
export function lockedPackage(name: string): LockedPackage {
  const { packages } = readJson('package-lock.json') as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) {
    throw new Error(`package-lock.json has no version and integrity of ${name}: run npm install`);
  }
  return { name, version, integrity };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}
