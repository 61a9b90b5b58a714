// Tells from the first bytes what a file is: text, compressed data, an archive, a journal, or something that is no log.
import { sumIsRight } from './tar-fields.ts';
import { wideEncoding } from './wide-encoding.ts';

export type ContentKind =
  | { readonly is: 'text'; readonly exported: boolean }
  | { readonly is: 'compressed'; readonly compression: 'gzip' | 'zstd' }
  | { readonly is: 'tar' | 'journal' | 'binary' | 'empty' }
  | { readonly is: 'unsupported'; readonly form: string }
  /** Compressed data of which nothing came out. */
  | { readonly is: 'damaged'; readonly code: 'truncated' | 'damaged' };

const MAGICS: readonly { readonly bytes: readonly number[]; readonly kind: ContentKind }[] = [
  { bytes: [0x1f, 0x8b], kind: { is: 'compressed', compression: 'gzip' } },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], kind: { is: 'compressed', compression: 'zstd' } },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], kind: { is: 'unsupported', form: 'xz' } },
  { bytes: [0x42, 0x5a, 0x68], kind: { is: 'unsupported', form: 'bzip2' } },
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: { is: 'unsupported', form: 'zip' } },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], kind: { is: 'unsupported', form: '7z' } },
  { bytes: [0x04, 0x22, 0x4d, 0x18], kind: { is: 'unsupported', form: 'lz4' } },
  { bytes: [...Buffer.from('LPKSHHRH')], kind: { is: 'journal' } },
];
const EXPORT_HEAD = '__CURSOR=';
const TAR_BLOCK_BYTES = 512;
const LOOKED_AT_BYTES = 4096;
/** Text of any language has next to none; compressed data has one in ten. */
const CONTROL_SHARE_MAX = 0.05;

/** `head`: at least the first 512 bytes where the content has so many. */
export function contentKind(head: Buffer): ContentKind {
  if (head.length === 0) return { is: 'empty' };
  const magic = MAGICS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  if (magic !== undefined) return magic.kind;
  if (head.length >= TAR_BLOCK_BYTES && head[0] !== 0 && sumIsRight(head)) return { is: 'tar' };
  if (isBinary(head)) return { is: 'binary' };
  return { is: 'text', exported: head.toString('latin1', 0, EXPORT_HEAD.length) === EXPORT_HEAD };
}

function isBinary(head: Buffer): boolean {
  if (wideEncoding(head) !== null) return false;
  const looked = head.subarray(0, LOOKED_AT_BYTES);
  let controls = 0;
  for (const byte of looked) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++;
  return controls > looked.length * CONTROL_SHARE_MAX;
}
