// Takes bytes out of a program that it never reads: the file loses whole pages of them, the addresses of all others stay, and where
// they were nothing is mapped.

import { HEADER, NOBITS, read, roundUp, SECTION, sectionsOf, SEGMENT, segmentsOf, write } from './elf.ts';

/** Pages of the largest kind in use, so that what follows keeps its place within a page. */
const PAGE_BYTES = 0x10000;
/** Kinds of segments. */
const [LOAD, OWN_TABLE] = [1, 6];

/**
 * `from` and `to` are offsets in the file, within one mapped part. That part needs a second row then, for which there is no room:
 * so the table moves to `from`.
 * @throws Error if they are not in one part, or if a later part needs more than 64 KiB of alignment
 */
export function withoutRange(elf: Buffer, from: number, to: number): Buffer {
  const changed = Buffer.from(elf);
  const rows = segmentsOf(changed).map((row) => Buffer.from(row));
  const table = roundUp(from, 16);
  const start = roundUp(table + (rows.length + 1) * SEGMENT.bytes, PAGE_BYTES);
  const end = to - (to % PAGE_BYTES);
  if (end <= start) return elf;

  splitSegment(rows, start, end);
  for (const row of rows.filter((row) => row.readUInt32LE() === OWN_TABLE)) {
    const mappedAt = addressOf(rows, table);
    for (const [field, value] of [
      [SEGMENT.offset, table],
      [SEGMENT.address, mappedAt],
      [SEGMENT.physical, mappedAt],
      [SEGMENT.size, rows.length * SEGMENT.bytes],
      [SEGMENT.inMemory, rows.length * SEGMENT.bytes],
    ] as const)
      write(row, field, value);
  }
  for (const row of rows)
    if (moveUp(row, SEGMENT.offset, start, end) && read(row, SEGMENT.align) > PAGE_BYTES)
      throw new Error('a later part needs a larger alignment');
  Buffer.concat(rows).copy(changed, table);
  write(changed, HEADER.segments, table);
  changed.writeUInt16LE(rows.length, HEADER.segmentCount);

  for (const row of sectionsOf(changed)) {
    const offset = read(row, SECTION.offset);
    const loses = offset < start && offset + read(row, SECTION.size) > start;
    // Only its first half keeps the name.
    if (loses && row.readUInt32LE(SECTION.type) !== NOBITS) write(row, SECTION.size, start - offset);
    moveUp(row, SECTION.offset, start, end);
  }
  moveUp(changed, HEADER.sections, start, end);
  return Buffer.concat([changed.subarray(0, start), changed.subarray(end)]);
}

function splitSegment(rows: Buffer[], start: number, end: number): void {
  const whole = rows.find((row) => holds(row, start) && holds(row, end));
  if (whole === undefined) throw new Error('the bytes are not in one mapped part');
  const skipped = end - read(whole, SEGMENT.offset);
  const rest = Buffer.from(whole);
  for (const field of [SEGMENT.offset, SEGMENT.address, SEGMENT.physical])
    write(rest, field, read(whole, field) + skipped);
  for (const field of [SEGMENT.size, SEGMENT.inMemory]) {
    write(rest, field, read(whole, field) - skipped);
    write(whole, field, start - read(whole, SEGMENT.offset));
  }
  rows.splice(rows.indexOf(whole) + 1, 0, rest);
}

/** Linux before 5.18 adds an offset to where the first part is: the table must stand as far from there in memory as in the file. */
function addressOf(rows: readonly Buffer[], offset: number): number {
  const parts = rows.filter((row) => row.readUInt32LE() === LOAD);
  const [first, part] = [parts[0], parts.find((row) => holds(row, offset))].map((row) =>
    row === undefined ? Number.NaN : read(row, SEGMENT.address) - read(row, SEGMENT.offset),
  );
  if (part === undefined || part !== first) throw new Error('the bytes are not mapped as the first part is');
  return offset + part;
}

function holds(row: Buffer, offset: number): boolean {
  const start = read(row, SEGMENT.offset);
  return row.readUInt32LE() === LOAD && start <= offset && offset < start + read(row, SEGMENT.size);
}

function moveUp(bytes: Buffer, at: number, start: number, end: number): boolean {
  const isBehind = read(bytes, at) >= end;
  if (isBehind) write(bytes, at, read(bytes, at) - (end - start));
  return isBehind;
}
