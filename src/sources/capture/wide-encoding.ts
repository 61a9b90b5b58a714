// Tells UTF-16 and its byte order from the first bytes: by the mark, or by how text without one looks.

export type WideEncoding = 'utf-16le' | 'utf-16be';

const LOOKED_AT_BYTES = 4096;
const TEXT_MIN_BYTES = 32;
/** Of a log in any language; of other data, 16-bit sound or numbers, next to none. */
const PLAIN_SHARE_MIN = 0.9;

/** Null for anything that is no UTF-16. */
export function wideEncoding(head: Buffer): WideEncoding | null {
  if (head[0] === 0xff && head[1] === 0xfe && !(head[2] === 0 && head[3] === 0)) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.length < TEXT_MIN_BYTES) return null;
  if (plainShare(head, 0) >= PLAIN_SHARE_MIN) return 'utf-16le';
  return plainShare(head, 1) >= PLAIN_SHARE_MIN ? 'utf-16be' : null;
}

/** How many of the pairs are a printable ASCII character, white space or ESC, whose byte stands at `at`, and a zero. */
function plainShare(head: Buffer, at: 0 | 1): number {
  const pairs = Math.min(head.length, LOOKED_AT_BYTES) >> 1;
  let plain = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const byte = head[2 * pair + at]!;
    const isText = (byte >= 32 && byte < 127) || (byte >= 9 && byte <= 13) || byte === 27;
    if (isText && head[2 * pair + 1 - at] === 0) plain++;
  }
  return plain / pairs;
}
