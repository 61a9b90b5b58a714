// Looks at the first bytes of a source without losing them.
import type { ByteSource } from '../../host/host.ts';

export interface Peeked {
  /** The first bytes, fewer only if the source ended. */
  readonly head: Buffer;
  /** Gives the head again, then the rest. */
  readonly source: ByteSource;
}

const FIRST_ROOM_BYTES = 4096;
const ROOM_GROWTH = 4;

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

export async function readUpTo(source: ByteSource, bytes: number): Promise<Buffer> {
  let into = Buffer.allocUnsafeSlow(Math.min(bytes, FIRST_ROOM_BYTES));
  let length = 0;
  for (;;) {
    const got = await source.read(into.subarray(length));
    length += got;
    if (got === 0 || length === bytes) break;
    if (length === into.length) into = Buffer.concat([into], Math.min(bytes, into.length * ROOM_GROWTH));
  }
  // Most files are small, and thousands of them may be looked at: what is kept is no larger than what was there.
  return length === into.length ? into : Buffer.from(into.subarray(0, length));
}

/** A source over bytes in memory. */
export function bytesSource(bytes: Buffer): ByteSource {
  return prefixed(bytes, { read: async () => 0, close: async () => {} });
}
