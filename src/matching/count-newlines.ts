// Counts the newlines in a stretch of bytes, four at a time: line numbers must cost a read of gigabytes next to nothing.

const NEWLINE = 10;
const WORD_BYTES = 4;
const ROUND_WORDS = 255;

/** Newlines from `from` up to `to`, places in `bytes`. */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let at = from;
  for (; at < to && (bytes.byteOffset + at) % WORD_BYTES !== 0; at++) if (bytes[at] === NEWLINE) count++;
  if (at === to) return count;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, (to - at) >> 2);
  for (let word = 0; word < words.length;) {
    const end = Math.min(words.length, word + ROUND_WORDS);
    // One counter in each byte of `sums`; a round ends before any of them can run over.
    let sums = 0;
    for (; word < end; word++) {
      const different = words[word]! ^ 0x0a0a0a0a;
      sums += (~(((different & 0x7f7f7f7f) + 0x7f7f7f7f) | different) >>> 7) & 0x01010101;
    }
    count += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  for (at += words.length * WORD_BYTES; at < to; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}
