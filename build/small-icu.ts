// Makes the language data (ICU) inside a Node binary as small as that of Node's own builds with small-icu: root and English. The
// analyzer writes English and reads UTF-8 and UTF-16, which need no more; the other 29 MB would only be fetched and stored.

import { withoutRange } from './elf-gap.ts';

/** Before `CmnD`, the kind of the data, stand its header's size (2 bytes), two magic bytes, and 8 bytes about the machine. */
const KIND = { text: 'CmnD', at: 12 } as const;
const MAGIC = 0x27da;
/** Converters, dictionaries, profiles, transliteration; every language but `root`, `en` and `en_US`. */
const DISPENSABLE = /\.(?:cnv|dict|spp)$|\/translit\/|\/(?!(?:root|en|en_US|res_index)\.)[a-z]{2,3}(?:_\w*)?\.res$/;
/** Of a row in the table of contents: offsets of name and content, from the table's beginning. */
const ROW_BYTES = 8;
const ALIGNMENT = 16;

/** @throws Error for a binary without that data or with as little already, and as `withoutRange` does */
export function withSmallIcu(elf: Buffer): Buffer {
  const start = findData(elf);
  const table = start + elf.readUInt16LE(start);
  const items = readItems(elf, table);
  const kept = items.filter(({ name }) => !DISPENSABLE.test(name));
  const last = items.at(-1);
  if (last === undefined || kept.includes(last)) throw new Error('the data of ICU ends with what is needed');
  const packed = pack(kept);
  const smaller = Buffer.from(elf);
  packed.copy(smaller, table);
  return withoutRange(smaller, table + packed.length, table + last.offset);
}

interface Item {
  readonly name: string;
  readonly offset: number;
  readonly content: Buffer;
}

function findData(elf: Buffer): number {
  for (let at = elf.indexOf(KIND.text); at !== -1; at = elf.indexOf(KIND.text, at + 1))
    if (elf.readUInt16LE(at - KIND.at + 2) === MAGIC) return at - KIND.at;
  throw new Error('the binary holds no data of ICU');
}

/** By name. The last has no content: nothing tells its end. */
function readItems(elf: Buffer, table: number): Item[] {
  const rows = Array.from({ length: elf.readUInt32LE(table) }, (_, index) => {
    const row = table + 4 + index * ROW_BYTES;
    const name = table + elf.readUInt32LE(row);
    return { name: elf.toString('latin1', name, elf.indexOf(0, name)), offset: elf.readUInt32LE(row + 4) };
  });
  return rows.map(({ name, offset }, index) => {
    const end = rows[index + 1]?.offset ?? offset;
    return { name, offset, content: elf.subarray(table + offset, table + end) };
  });
}

/** The table, its names, the contents: in the order that they had, by name, since ICU searches by halves. */
function pack(items: readonly Item[]): Buffer {
  const names = items.map(({ name }) => Buffer.from(`${name}\0`, 'latin1'));
  const rows = Buffer.alloc(4 + items.length * ROW_BYTES);
  rows.writeUInt32LE(items.length);
  const head = [rows, ...names];
  const namesEnd = head.reduce((sum, { length }) => sum + length, 0);
  const parts: Buffer[] = [...head, Buffer.alloc(padding(namesEnd))];
  let [nameAt, contentAt] = [rows.length, namesEnd + padding(namesEnd)];
  for (const [index, { content }] of items.entries()) {
    rows.writeUInt32LE(nameAt, 4 + index * ROW_BYTES);
    rows.writeUInt32LE(contentAt, 8 + index * ROW_BYTES);
    parts.push(content, Buffer.alloc(padding(content.length)));
    nameAt += names[index]!.length;
    contentAt += content.length + padding(content.length);
  }
  return Buffer.concat(parts);
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}
