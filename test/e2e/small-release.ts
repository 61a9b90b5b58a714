// Makes a release that is like a real one in all but its program, which is a script of a few bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archive } from '../../build/release/archive.ts';
import { FLAVOURS, type Flavour } from '../../build/release/flavours.ts';
import { layOutRelease } from '../../build/release/release-folder.ts';
import { hostArch, NAME } from '../../build/project.ts';
import { run } from '../../build/run.ts';

export const HERE: Flavour = FLAVOURS.find(({ arch, glibc }) => arch === hostArch() && glibc !== null)!;

export interface SmallRelease extends Partial<Flavour> {
  readonly version: string;
  /** What the program does with --version. */
  readonly tried?: string;
}

export interface Packed {
  /** Of the .tar.gz, .tar.zst and .tar.xz in the folder, without the ending. */
  readonly name: string;
  readonly sums: { readonly gz: string; readonly zst: string; readonly xz: string };
}

/** Below `folder`; gives the path. */
export async function layOutSmallRelease(
  folder: string,
  { version, tried = 'exit 0', ...more }: SmallRelease,
): Promise<string> {
  const release = join(folder, `.${version}`, `${NAME}-${version}`);
  mkdirSync(join(folder, `.${version}`));
  const executable = join(folder, `.${version}`, 'program');
  writeFileSync(executable, `#!/bin/sh\n[ "$1" != --version ] || { ${tried}; }\nexec sleep infinity\n`);
  await layOutRelease({ flavour: { ...HERE, ...more }, version, executable }, release);
  return release;
}

/** Puts the archives into `folder`. */
export async function packSmallRelease(folder: string, release: SmallRelease): Promise<Packed> {
  const name = `${NAME}-${release.version}`;
  const target = join(folder, name);
  await archive(await layOutSmallRelease(folder, release), target, true);
  await run('sh', ['-c', `gzip -dc "$1.tar.gz" | xz -0 >"$1.tar.xz"`, '-', target], '/');
  const sum = (ending: string): string =>
    createHash('sha256')
      .update(readFileSync(`${target}.tar.${ending}`))
      .digest('hex');
  return { name, sums: { gz: sum('gz'), zst: sum('zst'), xz: sum('xz') } };
}
