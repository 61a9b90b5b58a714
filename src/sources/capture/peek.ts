// Looks at the first bytes of a source without losing them.
import type { ByteSource } from '../../host/host.ts';
import { fill } from '../../lib/fill.ts';

export interface Peeked {
  /** The first bytes, fewer only if the source ended. */
  readonly head: Buffer;
  /** Gives the head again, then the rest. */
  readonly source: ByteSource;
}

const SCRATCH_BYTES = 64 * 1024;
/** Lent to one reading at a time, null while it is. */
let scratch: Buffer | null = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

export async function peek(source: ByteSource, bytes: number): Promise<Peeked> {
  const head = await readUpTo(source, bytes);
  return { head, source: prefixed(head, source) };
}

/** Gives `head` first, then what the source gives. */
export function prefixed(head: Buffer, source: ByteSource): ByteSource {
  let rest = head;
  return {
    async read(into) {
      if (rest.length === 0) return source.read(into);
      const given = rest.copy(into);
      rest = rest.subarray(given);
      return given;
    },
    close: () => source.close(),
  };
}

/** What is kept is no larger than what was there: most files are small, and thousands of them may be looked at. */
export async function readUpTo(source: ByteSource, bytes: number): Promise<Buffer> {
  const room = bytes > SCRATCH_BYTES || scratch === null ? Buffer.allocUnsafeSlow(bytes) : scratch;
  if (room === scratch) scratch = null;
  try {
    const length = await fill(room.subarray(0, bytes), (rest) => source.read(rest));
    return bytes > SCRATCH_BYTES && length === bytes ? room : Buffer.from(room.subarray(0, length));
  } finally {
    if (room.length === SCRATCH_BYTES) scratch = room;
  }
}

/** A source over bytes in memory. */
export function bytesSource(bytes: Buffer): ByteSource {
  return prefixed(bytes, { read: async () => 0, close: async () => {} });
}
