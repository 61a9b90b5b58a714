// Takes the debug symbols off a Node binary. Done here and not by binutils, so that every machine, for every processor, makes the
// same bytes.

import { HEADER, NOBITS, read, roundUp, SECTION, sectionsOf, write } from './elf.ts';

const ALLOCATED = 2n;

/**
 * Keeps what a running program maps, and of the sections' table the rows of that and of the names.
 * @throws Error for anything but a little-endian 64-bit ELF file with its mapped sections before all others
 */
export function withoutSymbols(elf: Buffer): Buffer {
  if (elf.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') throw new Error('not a little-endian 64-bit ELF file');
  const rows = sectionsOf(elf);
  const isMapped = (row: Buffer, index: number): boolean =>
    index === 0 || (row.readBigUInt64LE(SECTION.flags) & ALLOCATED) !== 0n;
  const mapped = rows.filter(isMapped);
  // Sections name one another by their number.
  if (!rows.slice(0, mapped.length).every(isMapped))
    throw new Error('a section that is not mapped stands before one that is');
  const nameRow = rows[elf.readUInt16LE(HEADER.nameSection)];
  if (nameRow === undefined) throw new Error('the sections have no names');

  const programEnd = Math.max(...mapped.slice(1).map(endInFile));
  const names = elf.subarray(read(nameRow, SECTION.offset), endInFile(nameRow));
  const newNameRow = Buffer.from(nameRow);
  write(newNameRow, SECTION.offset, programEnd);
  const newTable = roundUp(programEnd + names.length, 8);
  const head = Buffer.from(elf.subarray(0, programEnd));
  write(head, HEADER.sections, newTable);
  head.writeUInt16LE(mapped.length + 1, HEADER.sectionCount);
  head.writeUInt16LE(mapped.length, HEADER.nameSection);
  const padding = Buffer.alloc(newTable - programEnd - names.length);
  return Buffer.concat([head, names, padding, ...mapped, newNameRow]);
}

function endInFile(row: Buffer): number {
  return read(row, SECTION.offset) + (row.readUInt32LE(SECTION.type) === NOBITS ? 0 : read(row, SECTION.size));
}
