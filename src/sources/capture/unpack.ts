// Unpacks a tar archive into a private folder under numeric names, so that no name out of the archive is ever used as a path.
import { type ByteSource, HostError, type PrivateFolder } from '../../host/host.ts';
import type { Budget } from './budget.ts';
import type { SourceCode } from '../codes.ts';
import type { Notes } from '../notes.ts';
import { TarError, type TarMember, TarReader } from './tar-reader.ts';

export interface UnpackTask {
  /** The archive's uncompressed bytes. Closed by the caller. */
  readonly source: ByteSource;
  readonly archive: string;
  readonly folder: PrivateFolder;
  readonly budget: Budget;
  readonly notes: Notes;
  readonly signal: AbortSignal | undefined;
  /** False for names that hold nothing to read; such members are passed over. */
  isWanted(name: string): boolean;
}

export interface Unpacked {
  readonly members: readonly UnpackedMember[];
  /** Why it ended before its end, null if it did not. */
  readonly problem: TarError['code'] | HostError['code'] | 'member-limit' | 'followed' | null;
}

export interface UnpackedMember {
  /** Its name in the archive, without a leading `./`. */
  readonly name: string;
  /** The private file that holds its bytes. */
  readonly file: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number | null;
}

const PIECE_BYTES = 256 * 1024;
/** Names go through the globs of streams.yaml, whose cost grows with their length. */
const NAME_MAX_CHARS = 1024;

/** Never throws for what the archive holds: members that were refused are noted. @throws the signal's reason */
export async function unpack(task: UnpackTask): Promise<Unpacked> {
  const tar = new TarReader(task.source);
  const members: UnpackedMember[] = [];
  try {
    for (;;) {
      task.signal?.throwIfAborted();
      const found = await tar.next();
      if (found === null) return { members, problem: (await tar.isFollowed()) ? 'followed' : null };
      if (!task.budget.takeMember()) return { members, problem: 'member-limit' };
      if (found.kind === 'directory') continue;
      const name = found.name.replace(/^(?:\.\/+)+/, '');
      const refusal = refusalOf(found, name);
      if (refusal !== null)
        task.notes.add(task.archive, { what: `${task.archive}!${name}`, code: refusal, detail: '' });
      else if (task.isWanted(name)) await keep(task, tar, { ...found, name }, members);
    }
  } catch (error) {
    // What came out before a cut, a full disk or a read error counts.
    if (error instanceof TarError || error instanceof HostError) return { members, problem: error.code };
    throw error;
  }
}

/** A name that leads out of the folder is refused although it would never be used as a path: nobody packs a log so. */
function refusalOf(member: TarMember, name: string): SourceCode | null {
  if (name.startsWith('/') || name.split('/').includes('..')) return 'member-outside';
  if (member.kind === 'link') return 'member-link';
  return member.kind === 'special' || name.length > NAME_MAX_CHARS ? 'member-special' : null;
}

async function keep(task: UnpackTask, tar: TarReader, member: TarMember, members: UnpackedMember[]): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(member.sizeBytes, 1)));
  let sizeBytes = 0;
  const file = await task.folder.createFile();
  try {
    for (let bytes = await tar.read(piece); bytes > 0; bytes = await tar.read(piece)) {
      await file.write(piece.subarray(0, bytes));
      sizeBytes += bytes;
    }
  } finally {
    await file.close();
    // Also when the archive ended inside the member: what came out counts.
    members.push({ name: member.name, file: file.path, sizeBytes, mtimeMs: member.mtimeMs });
  }
}
