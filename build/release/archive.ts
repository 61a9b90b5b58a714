// Packs a release's folder as tar, compressed in two ways. The same content gives the same bytes.

import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { run } from '../run.ts';

/** Seconds since 1970 of every file; 0 would make tar warn. */
export const FILE_TIME = process.env['SOURCE_DATE_EPOCH'] ?? '1704067200';

/** Writes `target`.tar.zst and `target`.tar.gz; with `quick` they are larger, for tests. Gives the files. */
export async function archive(folder: string, target: string, quick: boolean): Promise<string[]> {
  const tar = `${target}.tar`;
  const same = ['--sort=name', '--owner=root:0', '--group=root:0', `--mtime=@${FILE_TIME}`, '--format=ustar'];
  await run('tar', [...same, '--mode=u+rwX,go=rX', '-cf', tar, '-C', dirname(folder), basename(folder)], '/');
  // The bytes are the same whatever the number of threads, and hold no name and no time.
  await Promise.all([
    run('zstd', ['--quiet', '--force', quick ? '-1' : '-19', '--threads=0', tar, '-o', `${tar}.zst`], '/'),
    run('gzip', ['--no-name', '--keep', '--force', quick ? '-1' : '-9', tar], '/'),
  ]);
  await rm(tar);
  return [`${tar}.zst`, `${tar}.gz`];
}
