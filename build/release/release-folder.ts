// Lays out what one flavour's release holds, as it is to stand in /opt/eks-bootstrap-analyzer.

import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { executablePath, NAME, ROOT } from '../project.ts';
import { LICENCES_FILE, SBOM_FILE } from '../supply.ts';
import type { Flavour } from './flavours.ts';
import { addPrivateLoader } from './private-loader.ts';

const DATA = 0o644;
const PROGRAM = 0o755;

export interface ReleaseContent {
  readonly flavour: Flavour;
  readonly version: string;
  readonly executable: string;
}

export function contentOf(flavour: Flavour, version: string): ReleaseContent {
  return { flavour, version, executable: executablePath(flavour.arch) };
}

/** `folder` must not exist. */
export async function layOutRelease({ flavour, version, executable }: ReleaseContent, folder: string): Promise<void> {
  for (const part of ['bin', 'systemd']) await mkdir(join(folder, part), { recursive: true });
  const copies: readonly (readonly [from: string, to: string, mode: number])[] = [
    [executable, `bin/${NAME}`, PROGRAM],
    [join(ROOT, 'deploy/install.sh'), 'install.sh', PROGRAM],
    [join(ROOT, 'systemd/eks-bootstrap-analyzer.service'), 'systemd/eks-bootstrap-analyzer.service', DATA],
    [join(ROOT, 'systemd/al2.conf'), 'systemd/al2.conf', DATA],
    [join(ROOT, 'LICENSE'), 'LICENSE', DATA],
    ...[LICENCES_FILE, SBOM_FILE].map((file) => [file, basename(file), DATA] as const),
  ];
  for (const [from, to, mode] of copies) {
    await copyFile(from, join(folder, to));
    await chmod(join(folder, to), mode);
  }
  if (flavour.glibc === null) await addPrivateLoader(folder);
  await writeFile(join(folder, 'release'), description(flavour, version));
  await writeSums(folder);
}

/** What install.sh compares with the machine, one `name=value` a line. */
function description({ name, machine, glibc }: Flavour, version: string): string {
  return `version=${version}\nflavour=${name}\nmachine=${machine}\nglibc=${glibc ?? ''}\n`;
}

/** SHA256SUMS of all files beside and below it, by name. */
export async function writeSums(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== 'SHA256SUMS')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
  const lines: string[] = [];
  for (const file of files) {
    const sum = createHash('sha256').update(await readFile(join(folder, file)));
    lines.push(`${sum.digest('hex')}  ${file}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}
