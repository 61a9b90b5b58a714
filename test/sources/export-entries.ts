// Builds journal entries in export form, as the tests of the journal readers need them.

export const SEQUENCE = 'a'.repeat(32);
export const BOOT = 'b'.repeat(32);

export interface Place {
  readonly number: number;
  readonly sequence?: string;
  readonly bootId?: string;
  /** A second after the one before where it is left out. */
  readonly monotonicUs?: number;
  readonly content?: string;
  /** When the boot began, Unix time in µs. */
  readonly bootUs?: number;
}

/** 2023-11-14T22:13:20Z. */
const BOOT_US = 1_700_000_000_000_000;

export function cursorText({
  number,
  sequence = SEQUENCE,
  bootId = BOOT,
  monotonicUs = number * 1_000_000,
  content = `${number}`,
  bootUs = BOOT_US,
}: Place): string {
  return `s=${sequence};i=${number.toString(16)};b=${bootId};m=${monotonicUs.toString(16)};t=${(bootUs + monotonicUs).toString(16)};x=${content}`;
}

/** Values with control characters are given in binary form, as journalctl does. */
export function entry(
  place: Place,
  fields: Readonly<Record<string, string | Buffer>> = { MESSAGE: `entry ${place.number}` },
): Buffer {
  const { bootId = BOOT, monotonicUs = place.number * 1_000_000, bootUs = BOOT_US } = place;
  const head = `__CURSOR=${cursorText(place)}\n__REALTIME_TIMESTAMP=${bootUs + monotonicUs}\n__MONOTONIC_TIMESTAMP=${monotonicUs}\n_BOOT_ID=${bootId}\n`;
  return Buffer.concat([
    Buffer.from(head),
    ...Object.entries(fields).map(([name, value]) => field(name, value)),
    Buffer.from('\n'),
  ]);
}

export function field(name: string, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  if (!bytes.some((byte) => byte < 32 && byte !== 9))
    return Buffer.concat([Buffer.from(`${name}=`), bytes, Buffer.from('\n')]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
}

export function entries(from: number, to: number, place: Partial<Place> = {}): Buffer {
  return Buffer.concat(Array.from({ length: to - from + 1 }, (_, index) => entry({ ...place, number: from + index })));
}

/** Numbers of the entries that some bytes hold, by their `entry N` messages. */
export function messagesIn(bytes: Uint8Array): number[] {
  return [
    ...Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/^MESSAGE=entry (?<number>\d+)$/gm),
  ].map((match) => Number(match.groups!['number']));
}
