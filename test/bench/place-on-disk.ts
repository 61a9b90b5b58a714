// Copies the executable as it lies on an instance that boots: not in the page cache.
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../../build/run.ts';

/** What the build wrote may still lie there in huge pages, each of which counts as resident with its first byte: 16 MB more. */
export async function placeOnDisk(executable: string, folder: string): Promise<string> {
  const copy = join(folder, basename(executable));
  copyFileSync(executable, copy);
  await run('dd', ['status=none', `of=${copy}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0'], folder);
  return copy;
}
