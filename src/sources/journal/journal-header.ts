// Reads the header of a journal file as far as it tells which systemd can read it. The layout is systemd's journal-def.h,
// unchanged since version 189.

export interface JournalHeader {
  /** Entries that the file says it holds; null in a header of before version 187. */
  readonly entries: number | null;
  /** What a reader must know, with the systemd that brought it: `compact (systemd 252)`. */
  readonly needs: readonly string[];
}

export const JOURNAL_HEADER_BYTES = 272;
const MAGIC = 'LPKSHHRH';
const INCOMPATIBLE_AT = 12;
const HEADER_SIZE_AT = 88;
const ENTRIES_AT = 152;
/** The file's own format, by bit. */
const FLAGS = [
  'xz (systemd 187)',
  'lz4 (systemd 216)',
  'keyed-hash (systemd 246)',
  'zstd (systemd 246)',
  'compact (systemd 252)',
];

/** Null if it is no journal file, or cut within its header. */
export function journalHeader(head: Buffer): JournalHeader | null {
  if (head.length < JOURNAL_HEADER_BYTES || head.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const bits = head.readUInt32LE(INCOMPATIBLE_AT);
  const needs = FLAGS.filter((_name, bit) => (bits & (1 << bit)) !== 0);
  const unknown = bits >>> FLAGS.length;
  if (unknown !== 0) needs.push(`unknown flags 0x${(unknown << FLAGS.length).toString(16)}`);
  return {
    entries: head.readBigUInt64LE(HEADER_SIZE_AT) >= 200n ? Number(head.readBigUInt64LE(ENTRIES_AT)) : null,
    needs,
  };
}
