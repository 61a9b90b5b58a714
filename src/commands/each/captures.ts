// Finds out which captures the paths of `analyze --each` stand for.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** What `--each --output` writes. */
const REPORT = /^(?:index|\d{4,}-.+)\.(?:html|json|md|txt)$/;
const ARCHIVE = /\.(?:tar|tgz|tar\.(?:gz|zst))$/i;

/**
 * A folder stands for what lies in it if it is the only path or holds archives, every other path for itself. Links that lie in a folder,
 * names that begin with a point, and folders that hold nothing but reports of an earlier run, are passed over.
 */
export async function capturesOf(paths: readonly string[], output: string | null): Promise<string[]> {
  const lists = await Promise.all(paths.map(async (path) => (await contentsOf(path, paths.length === 1)) ?? [path]));
  const found = lists.flat();
  const passedOver = await Promise.all(
    found.map(async (path) => !paths.includes(path) && (isSame(path, output) || (await holdsReports(path)))),
  );
  return found.filter((_path, index) => !passedOver[index]);
}

function isSame(path: string, output: string | null): boolean {
  return output !== null && resolve(path) === resolve(output);
}

async function holdsReports(path: string): Promise<boolean> {
  const names = await readdir(path).catch((): string[] => []);
  return names.length > 0 && names.every((name) => REPORT.test(name));
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
