// Makes private temporary folders and sees to it that none outlives the process: not after success, an error, Ctrl-C, or a
// request to end.
import { constants as fsConstants, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, open, statfs, symlink } from 'node:fs/promises';
import { constants as osConstants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError, type PrivateFile, type PrivateFolder } from '../host.ts';
import { refuseStuckMount } from './mount-guard.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fsConstants;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const folders = new Set<string>();

/** @throws HostError `temporary-folder` */
export function openPrivateFolder(): PrivateFolder {
  const path = inFolder(() => mkdtempSync(join(tmpdir(), 'eks-bootstrap-analyzer-')));
  remember(path);
  let made = 0;
  return {
    path,
    createFile: () => createFile(join(path, String(made++))),
    createLinks: (files, extension) => createLinks(join(path, String(made++)), files, extension),
    remove: () => forget(path),
  };
}

/** What is free for this user where the folders are made, null if it cannot be told. */
export async function freeForFolders(): Promise<number | null> {
  try {
    await refuseStuckMount(tmpdir());
    const { bavail, bsize } = await statfs(tmpdir());
    return bavail * bsize;
  } catch {
    return null;
  }
}

async function createFile(path: string): Promise<PrivateFile> {
  try {
    const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return {
      path,
      async write(chunk) {
        try {
          for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
        } catch (error) {
          throw failed(error);
        }
      },
      close: () => handle.close(),
    };
  } catch (error) {
    throw failed(error);
  }
}

async function createLinks(folder: string, files: readonly string[], extension: string): Promise<string> {
  try {
    await mkdir(folder, { mode: 0o700 });
    for (const [at, file] of files.entries()) await symlink(file, join(folder, `${at}${extension}`));
    return folder;
  } catch (error) {
    throw failed(error);
  }
}

function inFolder<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw failed(error);
  }
}

function failed(error: unknown): HostError {
  return new HostError('temporary-folder', `${tmpdir()} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, {
    cause: error,
  });
}

function remember(path: string): void {
  if (folders.size === 0) {
    process.on('exit', removeAll);
    for (const signal of SIGNALS) process.on(signal, endedBy);
  }
  folders.add(path);
}

function forget(path: string): void {
  if (!folders.delete(path)) return;
  rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  if (folders.size > 0) return;
  process.off('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, endedBy);
}

function removeAll(): void {
  for (const path of folders) forget(path);
}

/** A command with a handler of its own ends by itself, and the folder goes with it; else this one ends the process. */
function endedBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  removeAll();
  process.exit(128 + osConstants.signals[signal]);
}
