// Writes SHA256SUMS over the built files, in the format that `sha256sum --check` reads.

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Gives the size of each file in bytes, in the order given. */
export async function writeChecksums(folder: string, files: readonly string[]): Promise<number[]> {
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const lines = contents.map(
    (bytes, index) => `${createHash('sha256').update(bytes).digest('hex')}  ${basename(files[index] ?? '')}\n`,
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
  return contents.map(({ byteLength }) => byteLength);
}
