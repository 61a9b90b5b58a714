// The kinds of Linux that a release is made for.

import type { Arch } from '../project.ts';

export interface Flavour {
  readonly name: string;
  readonly arch: Arch;
  /** What `uname -m` says there. */
  readonly machine: string;
  /** The oldest glibc that it runs on; null: it brings its own, see private-loader.ts. */
  readonly glibc: string | null;
  /** The architecture's name for Debian; null: no such package. */
  readonly deb: string | null;
  readonly rpm: string;
}

export const FLAVOURS: readonly Flavour[] = [
  { name: 'linux-x64', arch: 'x64', machine: 'x86_64', glibc: '2.28', deb: 'amd64', rpm: 'x86_64' },
  { name: 'linux-arm64', arch: 'arm64', machine: 'aarch64', glibc: '2.28', deb: 'arm64', rpm: 'aarch64' },
  { name: 'linux-x64-al2', arch: 'x64', machine: 'x86_64', glibc: null, deb: null, rpm: 'x86_64' },
];
