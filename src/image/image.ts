// What the checks of an image may ask: its files below the root, bounded, links followed inside the root alone. Runs nothing of it.
import { type EntryKind, type Host, HostError, type OpenFile } from '../host/host.ts';
import type { FileSystemSpace, System } from '../host/system.ts';
import { fill } from '../lib/fill.ts';

/** Links of an image may lead anywhere in it. */
const ANYWHERE = [''];
const TEXT_MAX_BYTES = 256 * 1024;
/** What a link that leads nowhere, or a part of the way that is none, comes to: nothing is there. */
const NOTHING = new Set(['missing', 'symlink-loop']);

export interface Image {
  readonly os: 'al2' | 'al2023';
  /** True for the machine itself: what its own boot wrote is no leftover. */
  readonly isRunning: boolean;
  readonly instanceTypes: readonly string[];
  /** Links followed; null if nothing is there. @throws HostError */
  kindOf(path: string): Promise<EntryKind | null>;
  /** True for a link in this folder, wherever it leads. @throws HostError */
  isLink(folder: string, name: string): Promise<boolean>;
  /** Null if nothing is there; what is longer is cut. @throws HostError for what is no regular file */
  text(path: string, maxBytes?: number): Promise<string | null>;
  /** Null if nothing is there. To be closed. @throws HostError */
  open(path: string): Promise<OpenFile | null>;
  /** At most 1,000. @throws HostError */
  names(folder: string): Promise<readonly string[]>;
  /** Paths that a glob of `*` names. */
  glob(glob: string): Promise<readonly string[]>;
  space(path: string): Promise<FileSystemSpace>;
  /** The SELinux context of a file, null if it has none or it cannot be told. @throws HostError */
  label(path: string): Promise<string | null>;
}

export interface ImageRequest extends Pick<Image, 'os' | 'isRunning' | 'instanceTypes'> {
  readonly host: Host;
  readonly system: System;
  readonly signal: AbortSignal;
}

export function openImage({ host, system, signal, ...rest }: ImageRequest): Image {
  const open = (path: string): Promise<OpenFile | null> =>
    unlessNothing(null, () => host.openBelowRoot(path, ANYWHERE));
  const realPath = (path: string): Promise<string> => host.resolveBelowRoot(path, ANYWHERE);
  return {
    ...rest,
    kindOf: (path) => unlessNothing(null, () => system.kindOf(path)),
    isLink: (folder, name) =>
      unlessNothing(false, async () => (await host.kindOf(`${await realPath(folder)}/${name}`)).kind === 'symlink'),
    async text(path, maxBytes = TEXT_MAX_BYTES) {
      const file = await open(path);
      return file === null ? null : readUpTo(file, maxBytes);
    },
    open,
    names: (folder) => unlessNothing<readonly string[]>([], () => system.listFolder(folder)),
    glob: (glob) => host.expandGlob(glob),
    space: async (path) => system.space((await realPath(path)).slice(host.root?.length ?? 0) || '/', signal),
    label: (path) =>
      unlessNothing(null, async () => {
        const said = await system.runTool('stat', ['--format=%C', '--', await realPath(path)], signal);
        const label = said?.stdout.trim() ?? '';
        return said?.exitCode === 0 && label.includes(':') ? label : null;
      }),
  };
}

async function readUpTo(file: OpenFile, maxBytes: number): Promise<string> {
  try {
    const into = Buffer.alloc(Math.min(maxBytes, file.sizeBytes));
    return into.toString('utf8', 0, await fill(into, file.readAt));
  } finally {
    await file.close();
  }
}

async function unlessNothing<T>(instead: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof HostError && NOTHING.has(error.code)) return instead;
    throw error;
  }
}
