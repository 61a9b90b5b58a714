// Delivers text to a file: written beside it under a new name (mode 0600), then put in its place in one step.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MODE = 0o600;

/** @throws Error with one sentence if the place is not a file's, or the system's error if it cannot be written. */
export async function writeFileInOneStep(path: string, text: string): Promise<void> {
  const there = await lstat(path).catch(() => null);
  // A device or link such as /dev/stdout must never be replaced.
  if (there !== null && !there.isFile()) throw new Error(`${path} is not a regular file.`);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}`);
  const file = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    MODE,
  );
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
