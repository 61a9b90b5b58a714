// A file, a member of an archive or standard input, before it is known what it holds; and the looking that finds it out.
import type { ByteSource } from '../../host/host.ts';
import type { Budget } from './budget.ts';
import { contentKind, type ContentKind } from './content-kind.ts';
import { canDecompress, type Compression, decompress } from './decompress.ts';
import { decodeText } from './decode-text.ts';
import { bytesSource, readUpTo } from './peek.ts';

/** Raw bytes, with what only a real file can give. */
export interface RawSource extends ByteSource {
  readonly sizeBytes?: number;
  readonly allocatedBytes?: number;
  readonly readAt?: (into: Buffer, position: number) => Promise<number>;
}

export interface Candidate {
  readonly name: string;
  readonly path: string;
  /** The argument, or the archive, that it was found in; null if the user named it. */
  readonly owner: string | null;
  /** A path that other programs can open, null for standard input. */
  readonly file: string | null;
  readonly sizeBytes: number | null;
  readonly mtimeMs: number | null;
  /** How many archives it was inside. */
  readonly depth: number;
  /** All raw bytes; only once for standard input. @throws HostError */
  open(): Promise<RawSource>;
  /** At least the first 64 KiB of the raw bytes, as often as wanted. @throws HostError */
  glance(): Promise<RawSource>;
}

const HEAD_BYTES = 16 * 1024;

export interface Content {
  readonly kind: ContentKind;
  readonly compression: Compression | null;
  /** The first bytes as they are, all of a small file; null where nobody needs them again. */
  readonly head: Buffer | null;
}

/** What the candidate holds, inside its compression if it has one. @throws HostError */
export async function inspect(candidate: Candidate, budget: Budget): Promise<Content> {
  const head = await headOf(candidate, HEAD_BYTES);
  const outer = contentKind(head);
  if (outer.is !== 'compressed') return { kind: await decodedKind(head, outer), compression: null, head };
  const { compression } = outer;
  if (!canDecompress(compression)) return { kind: { is: 'unsupported', form: compression }, compression, head: null };
  const inner = decompress(bytesSource(head), compression, budget.unspent());
  const unpacked = await readUpTo(inner, HEAD_BYTES);
  await inner.close();
  const problem = inner.problem();
  if (unpacked.length === 0 && (problem === 'truncated' || problem === 'damaged'))
    return { kind: { is: 'damaged', code: problem }, compression, head: null };
  const kind = contentKind(unpacked);
  return { kind: await decodedKind(unpacked, kind), compression, head: null };
}

/** A text may only show after its encoding is undone that it is a journal in export form. */
async function decodedKind(head: Buffer, kind: ContentKind): Promise<ContentKind> {
  if (kind.is !== 'text') return kind;
  const decoded = await decodeText(bytesSource(head));
  return contentKind(await readUpTo(decoded, HEAD_BYTES));
}

/** The first raw bytes. @throws HostError */
export async function headOf(candidate: Candidate, bytes: number): Promise<Buffer> {
  const source = await candidate.glance();
  try {
    return await readUpTo(source, bytes);
  } finally {
    await source.close();
  }
}
