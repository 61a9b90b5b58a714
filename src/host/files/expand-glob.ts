// Finds the paths below a root prefix that a glob names. Lists names only: whoever opens a path checks where it ends.
import { readdir } from 'node:fs/promises';
import { globExpression, isGlob } from './glob.ts';
import { HostError } from '../host.ts';
import { resolveBelow } from './resolve-below.ts';
import { walkFolder } from './walk-folder.ts';

const FOUND_MAX = 2_000;

/**
 * Sorted; empty if nothing is there. `**` may only be followed by one last name. A folder on a mount that does not answer stands
 * for all that the glob might have found in it: whoever opens it is told.
 */
export async function expandGlob(root: string, glob: string): Promise<readonly string[]> {
  let found = [''];
  const names = glob.split('/').filter((name) => name !== '');
  for (const [at, name] of names.entries()) {
    if (name === '**') return below(root, found, names.slice(at).join('/'));
    if (isGlob(name))
      found = (await Promise.all(found.map((folder) => children(root, folder, globExpression(name)))))
        .flat()
        .slice(0, FOUND_MAX);
    else found = found.map((folder) => `${folder}/${name}`);
  }
  const there = await Promise.all(found.map((path) => exists(root, path)));
  return found.filter((_path, at) => there[at]).sort();
}

async function children(root: string, folder: string, expression: RegExp): Promise<string[]> {
  try {
    const names = await readdir(root + (await resolveBelow(root, folder)));
    return names.filter((name) => expression.test(name)).map((name) => `${folder}/${name}`);
  } catch (error) {
    return isStuck(error) ? [folder] : [];
  }
}

async function below(root: string, folders: readonly string[], rest: string): Promise<string[]> {
  const expression = globExpression(rest);
  const found: string[] = [];
  for (const folder of folders) {
    try {
      const { entries, refused } = await walkFolder(root + (await resolveBelow(root, folder)));
      const named = [
        ...entries.filter(({ path }) => expression.test(path)),
        ...refused.filter(({ code }) => code === 'mount-stuck'),
      ];
      found.push(...named.map(({ path }) => `${folder}/${path}`));
    } catch (error) {
      if (isStuck(error)) found.push(folder);
    }
  }
  return found.slice(0, FOUND_MAX).sort();
}

async function exists(root: string, path: string): Promise<boolean> {
  try {
    await resolveBelow(root, path);
    return true;
  } catch (error) {
    return isStuck(error);
  }
}

function isStuck(error: unknown): boolean {
  return error instanceof HostError && error.code === 'mount-stuck';
}
