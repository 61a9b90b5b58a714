// Takes the debug symbols off a Node binary. Done here and not by binutils, so that every machine, for every processor, makes the
// same bytes.

const SECTION_BYTES = 64;
const ALLOCATED = 2n;
/** Of a section that takes no room in the file. */
const NOBITS = 8;
/** Offsets in the header of a 64-bit ELF file. */
const HEADER = { sectionTable: 0x28, sectionCount: 0x3c, nameSection: 0x3e } as const;
/** Offsets in the header of a section. */
const SECTION = { type: 4, flags: 8, offset: 24, size: 32 } as const;

/**
 * Keeps what a running program maps, and of the sections' table the rows of that and of the names.
 * @throws Error for anything but a little-endian 64-bit ELF file with its mapped sections before all others
 */
export function withoutSymbols(elf: Buffer): Buffer {
  if (elf.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') throw new Error('not a little-endian 64-bit ELF file');
  const table = Number(elf.readBigUInt64LE(HEADER.sectionTable));
  const rows = Array.from({ length: elf.readUInt16LE(HEADER.sectionCount) }, (_, index) =>
    elf.subarray(table + index * SECTION_BYTES, table + (index + 1) * SECTION_BYTES),
  );
  const isMapped = (row: Buffer, index: number): boolean =>
    index === 0 || (row.readBigUInt64LE(SECTION.flags) & ALLOCATED) !== 0n;
  const mapped = rows.filter(isMapped);
  // Sections name one another by their number.
  if (!rows.slice(0, mapped.length).every(isMapped))
    throw new Error('a section that is not mapped stands before one that is');
  const nameRow = rows[elf.readUInt16LE(HEADER.nameSection)];
  if (nameRow === undefined) throw new Error('the sections have no names');

  const programEnd = Math.max(...mapped.slice(1).map(endInFile));
  const names = elf.subarray(Number(nameRow.readBigUInt64LE(SECTION.offset)), endInFile(nameRow));
  const newNameRow = Buffer.from(nameRow);
  newNameRow.writeBigUInt64LE(BigInt(programEnd), SECTION.offset);
  const newTable = Math.ceil((programEnd + names.length) / 8) * 8;
  const head = Buffer.from(elf.subarray(0, programEnd));
  head.writeBigUInt64LE(BigInt(newTable), HEADER.sectionTable);
  head.writeUInt16LE(mapped.length + 1, HEADER.sectionCount);
  head.writeUInt16LE(mapped.length, HEADER.nameSection);
  const padding = Buffer.alloc(newTable - programEnd - names.length);
  return Buffer.concat([head, names, padding, ...mapped, newNameRow]);
}

function endInFile(row: Buffer): number {
  const size = row.readUInt32LE(SECTION.type) === NOBITS ? 0n : row.readBigUInt64LE(SECTION.size);
  return Number(row.readBigUInt64LE(SECTION.offset) + size);
}
