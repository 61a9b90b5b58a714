// Puts the live door together. Everything outside this folder gets it as a `Host`.
import { realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readBootId } from './boot-id.ts';
import { expandGlob } from './files/expand-glob.ts';
import { type Host, HostError } from './host.ts';
import { refuseStuckMount } from './files/mount-guard.ts';
import { openBelow, openFile } from './files/open-file.ts';
import { openStdin } from './files/open-stdin.ts';
import { freeForFolders, openPrivateFolder } from './files/private-folder.ts';
import { refusePseudo } from './files/pseudo.ts';
import { refusalOf } from './files/refusal.ts';
import { liesIn, resolveBelow } from './files/resolve-below.ts';
import { findCommand, runChild } from './processes/run-child.ts';
import { surveyGlobs } from './files/survey-globs.ts';
import { followFile } from './files/tail-file.ts';
import { entryAt, walkFolder } from './files/walk-folder.ts';
import { watchFolder } from './files/watch-folder.ts';

/** @throws HostError `missing` or `unreadable` if the root is no folder that can be read. */
export function createHost(options: { readonly root?: string | undefined } = {}): Host {
  const root = options.root === undefined ? null : rootPrefix(options.root);
  const prefix = root ?? '';
  return {
    root,
    clock: {
      wallMs: () => Date.now(),
      monotonicMs: () => Number(process.hrtime.bigint() / 1_000n) / 1_000,
    },
    kindOf: (path) => refusing(path, () => entryAt(path, path)),
    identityOf: (path) => refusing(path, () => identityAt(path)),
    refusePseudo: (folder) => refusing(folder, () => refusePseudo(folder)),
    realPath: (path) => refusing(path, () => realPath(path)),
    openFile,
    async resolveBelowRoot(path, folders) {
      const inside = await resolveBelow(prefix, path);
      if (!liesIn(inside, folders)) throw new HostError('symlink-outside', inside);
      return prefix + inside;
    },
    openBelowRoot: (path, folders) => openBelow(prefix, path, folders),
    walkFolder,
    expandGlob: (glob) => expandGlob(prefix, glob),
    followFile: (path, folders) => followFile(prefix, path, folders),
    surveyGlobs: (globs) => surveyGlobs(prefix, globs),
    watchFolder: (path, onName) => watchFolder(prefix, path, onName),
    findCommand,
    run: runChild,
    openStdin,
    openPrivateFolder,
    freeBytes: freeForFolders,
    bootId: () => readBootId(''),
    async isRootOfThisBoot() {
      if (root === null) return true;
      const own = await readBootId('');
      return own !== null && (await readBootId(prefix)) === own;
    },
  };
}

/** The prefix itself was named by the user: its links are followed. `/` is the machine itself. */
function rootPrefix(path: string): string | null {
  try {
    const real = realpathSync(path);
    return real === '/' ? null : real;
  } catch (error) {
    throw refusalOf(error, path);
  }
}

/** Part by part where the mounts on the way can be told; else all at once. */
function realPath(path: string): Promise<string> {
  return process.platform === 'linux' ? resolveBelow('', resolve(path)) : realpath(path);
}

async function identityAt(path: string): Promise<string> {
  await refuseStuckMount(path);
  // Inodes may be greater than 2^53.
  const { dev, ino } = await stat(path, { bigint: true });
  return `${dev}:${ino}`;
}

async function refusing<T>(path: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw refusalOf(error, path);
  }
}
