// Where things stand in a little-endian 64-bit ELF file, and its tables by their rows.

/** Offsets in the file's header. */
export const HEADER = {
  segments: 0x20,
  sections: 0x28,
  segmentCount: 0x38,
  sectionCount: 0x3c,
  nameSection: 0x3e,
} as const;
/** Offsets in a row that says what is mapped where, and the row's size. */
export const SEGMENT = { bytes: 56, offset: 8, address: 16, physical: 24, size: 32, inMemory: 40, align: 48 } as const;
/** Offsets in a row that says what stands where for a linker, and the row's size. */
export const SECTION = { bytes: 64, type: 4, flags: 8, offset: 24, size: 32 } as const;
/** Type of a section that takes no room in the file. */
export const NOBITS = 8;

export function segmentsOf(elf: Buffer): Buffer[] {
  return rowsOf(elf, read(elf, HEADER.segments), elf.readUInt16LE(HEADER.segmentCount), SEGMENT.bytes);
}

export function sectionsOf(elf: Buffer): Buffer[] {
  return rowsOf(elf, read(elf, HEADER.sections), elf.readUInt16LE(HEADER.sectionCount), SECTION.bytes);
}

/** Parts of the file itself: what is written to a row is written to the file. */
function rowsOf(elf: Buffer, table: number, count: number, bytes: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => elf.subarray(table + index * bytes, table + (index + 1) * bytes));
}

/** A number of eight bytes. */
export function read(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

export function write(bytes: Buffer, at: number, value: number): void {
  bytes.writeBigUInt64LE(BigInt(value), at);
}

export function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
