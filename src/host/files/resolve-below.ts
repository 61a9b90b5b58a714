// Follows a path below a root prefix part by part: absolute link targets start again at the root, and `..` cannot leave it.
import { lstat, readlink } from 'node:fs/promises';
import { HostError } from '../host.ts';
import { refuseStuckMount } from './mount-guard.ts';
import { refusalOf } from './refusal.ts';

const LINKS_MAX = 40;

/** `path` and the answer are as seen from inside the root. @throws HostError `missing`, `unreadable`, `symlink-loop`, `mount-stuck` */
export async function resolveBelow(root: string, path: string): Promise<string> {
  const ahead = parts(path);
  let done: string[] = [];
  for (let links = 0; ahead.length > 0;) {
    const part = ahead.shift()!;
    if (part === '..') {
      done.pop();
      continue;
    }
    const target = await linkTarget(`${root}/${[...done, part].join('/')}`);
    if (target === null) {
      done.push(part);
      continue;
    }
    if (++links > LINKS_MAX) throw new HostError('symlink-loop', path);
    if (target.startsWith('/')) done = [];
    ahead.unshift(...parts(target));
  }
  return `/${done.join('/')}`;
}

/** True if the path is one of the folders or lies below one. */
export function liesIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

function parts(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    await refuseStuckMount(path);
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (error) {
    throw refusalOf(error, path);
  }
}
