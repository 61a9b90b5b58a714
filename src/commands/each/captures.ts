// Finds out which captures the paths of `analyze --each` stand for.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const ARCHIVE = /\.(?:tar|tgz|tar\.(?:gz|zst))$/i;

/**
 * A folder stands for what lies in it if it is the only path or holds archives, every other path for itself. Links that lie in a folder,
 * names that begin with a point and the folder of the output are passed over.
 */
export async function capturesOf(paths: readonly string[], output: string | null): Promise<string[]> {
  const lists = await Promise.all(paths.map(async (path) => (await contentsOf(path, paths.length === 1)) ?? [path]));
  return lists.flat().filter((path) => output === null || resolve(path) !== resolve(output));
}

/** Null for what is no folder, cannot be read (which its own judgement will say), or is one capture. */
async function contentsOf(path: string, isOnly: boolean): Promise<string[] | null> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null || !(isOnly || entries.some((entry) => entry.isFile() && ARCHIVE.test(entry.name)))) return null;
  return entries
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && !entry.name.startsWith('.'))
    .map(({ name }) => join(path, name))
    .sort();
}
