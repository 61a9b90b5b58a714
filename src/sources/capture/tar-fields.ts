// Reads the fields of a tar header block and the records of a pax header.

const BLOCK_BYTES = 512;
const SUM_AT = 148;
const SUM_BYTES = 8;

/** Text up to the first NUL. */
export function textField(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
}

/** Octal digits, or GNU's base-256 for what they cannot hold. NaN if it is neither. */
export function numberField(header: Buffer, at: number, bytes: number): number {
  if (header[at]! < 0x80) {
    const digits = textField(header.subarray(at, at + bytes)).trim();
    return digits === '' ? 0 : Number(`0o${digits}`);
  }
  let value = header[at]! & 0x7f;
  for (let i = at + 1; i < at + bytes; i++) value = value * 256 + header[i]!;
  return value;
}

/** True if the block is a header: every form of tar sums its bytes, the field of the sum counted as blanks. */
export function sumIsRight(block: Buffer): boolean {
  const written = /^[ \0]*(?<sum>[0-7]+)(?:[ \0]|$)/.exec(block.toString('latin1', SUM_AT, SUM_AT + SUM_BYTES))
    ?.groups?.['sum'];
  if (written === undefined) return false;
  let sum = SUM_BYTES * 0x20;
  for (let at = 0; at < BLOCK_BYTES; at++) if (at < SUM_AT || at >= SUM_AT + SUM_BYTES) sum += block[at]!;
  return sum === parseInt(written, 8);
}

/** `27 path=some/long/name` lines; what does not fit the form ends the reading. */
export function paxRecords(bytes: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('latin1', at, blank));
    if (blank < 0 || !Number.isInteger(length) || length <= blank - at || at + length > bytes.length) break;
    const record = bytes.toString('utf8', blank + 1, at + length - 1);
    const equals = record.indexOf('=');
    if (equals > 0) records[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  return records;
}
