// Finds the candidates in a folder that a user gave: a folder of logs, an unpacked bundle, or the root of a node's file system.
import { join } from 'node:path';
import { type FolderEntry, HostError } from '../../host/host.ts';
import type { Candidate } from './candidate.ts';
import type { SourceCode } from '../codes.ts';
import type { Run } from './collection.ts';
import { streamOfPath } from '../stream-of-path.ts';

/** A folder that has these beside `var/log` is a whole root: everything but its logs is left alone. */
const ROOT_MARKS = ['usr', 'bin', 'sbin', 'proc'];
const ROOT_LOG_FOLDERS = ['var/log', 'run/log'];
/** Single files of a root that tell facts, read where streams.yaml knows them. */
const ROOT_FILES = ['var/lib/kubelet/kubeconfig', 'etc/containerd/config.toml', 'etc/resolv.conf'];

export interface GivenFolder {
  /** The folder with all links followed. */
  readonly folder: string;
  /** As the user wrote it. */
  readonly given: string;
  /** Stands before the names of its files, e.g. to tell two folders apart. */
  readonly prefix: string;
}

export async function findInFolder(run: Run, place: GivenFolder): Promise<Candidate[]> {
  if (!(await isNodeRoot(run, place.folder))) return walk(run, place, '');
  const candidates = await looseFiles(run, place);
  for (const folder of ROOT_LOG_FOLDERS)
    if ((await kindBelow(run, place.folder, folder))?.kind === 'directory')
      candidates.push(...(await walk(run, place, folder)));
  for (const file of ROOT_FILES) {
    const entry = await kindBelow(run, place.folder, file);
    if (entry?.kind === 'file' && streamOfPath(run.table, `/${file}`).known)
      candidates.push(candidateAt(run, place, entry, file));
  }
  return candidates;
}

async function isNodeRoot(run: Run, folder: string): Promise<boolean> {
  if ((await kindBelow(run, folder, 'var/log'))?.kind !== 'directory') return false;
  const marks = await Promise.all(ROOT_MARKS.map((mark) => kindBelow(run, folder, mark)));
  return marks.some((entry) => entry !== null);
}

/** What stands at a path below a folder, null if nothing does or a link leads there: `var -> /var` would leave the folder. */
async function kindBelow(run: Run, folder: string, path: string): Promise<FolderEntry | null> {
  const names = path.split('/');
  let entry: FolderEntry | null = null;
  for (let at = 1; at <= names.length; at++) {
    if (entry !== null && entry.kind !== 'directory') return null;
    try {
      entry = await run.host.kindOf(join(folder, ...names.slice(0, at)));
    } catch (error) {
      if (error instanceof HostError) return null;
      throw error;
    }
  }
  return entry;
}

/** Files right in a root, such as a capture put beside `var`; the links there (`bin`, `lib`) are no logs. */
async function looseFiles(run: Run, place: GivenFolder): Promise<Candidate[]> {
  const { entries } = await run.host.walkFolder(place.folder, 1);
  return entries.filter(({ kind }) => kind === 'file').map((entry) => candidateAt(run, place, entry, entry.path));
}

async function walk(run: Run, place: GivenFolder, inner: string): Promise<Candidate[]> {
  const { entries, refused, depthReached, entriesReached } = await run.host.walkFolder(join(place.folder, inner));
  const pathOf = (path: string): string => (inner === '' ? path : `${inner}/${path}`);
  const note = (what: string, code: SourceCode): void =>
    run.notes.add(place.given, { what: place.prefix + what || place.given, code, detail: '' });
  if (depthReached) run.notes.add(null, { what: place.given, code: 'walk-depth', detail: '' });
  if (entriesReached) run.notes.add(null, { what: place.given, code: 'walk-entries', detail: '' });
  for (const { path, code } of refused) note(pathOf(path), code);
  const candidates: Candidate[] = [];
  for (const entry of entries) {
    const path = pathOf(entry.path);
    if (streamOfPath(run.table, `/${path}`).ignored) continue;
    if (entry.kind === 'file') candidates.push(candidateAt(run, place, entry, path));
    else note(path, entry.kind);
  }
  return candidates;
}

function candidateAt(run: Run, place: GivenFolder, entry: FolderEntry, path: string): Candidate {
  const file = join(place.folder, path);
  const open = (): ReturnType<Candidate['open']> => run.host.openFile(file);
  const { sizeBytes, mtimeMs } = entry;
  return {
    name: place.prefix + path,
    path: file,
    owner: place.given,
    file,
    sizeBytes,
    mtimeMs,
    depth: 0,
    open,
    glance: open,
  };
}
