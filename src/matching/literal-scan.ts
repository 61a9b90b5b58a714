// Finds every place in raw bytes where one of many literals stands. The text is probed at every few bytes only: from each
// literal a window of `stride + 3` bytes is chosen, all its 4-byte pieces go into a table, and any occurrence of the
// literal then holds one piece at a probed place. Piece and table ignore case; the final comparison decides.

export interface Literal {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Called with the literal's index and the place where it begins. Places come in the order of their lines. */
export type LiteralHit = (literal: number, at: number) => void;

export interface LiteralScan {
  /** Longest literal in bytes: a caller keeps this much behind `to` readable, so that no literal is cut. */
  readonly longestBytes: number;
  /** Reports each literal that begins in `[from, to)` and ends within the bytes. */
  scan(bytes: DataView, from: number, to: number, onHit: LiteralHit): void;
}

const PIECE_BYTES = 4;
const STRIDE_MAX = 9;
const HASH_BITS = 16;
const FOLD = 0x20202020;

export function createLiteralScan(literals: readonly Literal[]): LiteralScan {
  const texts = literals.map(({ text }) => Buffer.from(text, 'latin1'));
  const folded = Uint8Array.from(literals, ({ ignoreCase }) => (ignoreCase ? 1 : 0));
  const shortest = Math.min(...texts.map((text) => text.length), STRIDE_MAX + PIECE_BYTES - 1);
  const longestBytes = Math.max(0, ...texts.map((text) => text.length));
  const stride = shortest - PIECE_BYTES + 1;

  // A bit for each hash, and chained entries (literal, place of the piece in it) behind the hash.
  const bits = new Int32Array(1 << (HASH_BITS - 5));
  const heads = new Uint16Array(1 << HASH_BITS);
  const entryLiteral: number[] = [0];
  const entryOffset: number[] = [0];
  const entryNext: number[] = [0];
  let reach = 0;
  texts.forEach((text, literal) => {
    const start = rarestWindow(text, stride);
    for (let offset = start; offset < start + stride; offset++) {
      const hash = hashOf(text.readInt32LE(offset));
      bits[hash >>> 5]! |= 1 << (hash & 31);
      entryLiteral.push(literal);
      entryOffset.push(offset);
      entryNext.push(heads[hash]!);
      heads[hash] = entryLiteral.length - 1;
      reach = Math.max(reach, offset + 1);
    }
  });
  const chainLiteral = Int32Array.from(entryLiteral);
  const chainOffset = Int32Array.from(entryOffset);
  const chainNext = Int32Array.from(entryNext);

  function stands(bytes: DataView, at: number, literal: number): boolean {
    const text = texts[literal]!;
    if (at + text.length > bytes.byteLength) return false;
    if (folded[literal] === 1) {
      for (let i = 0; i < text.length; i++) if (lower(bytes.getUint8(at + i)) !== lower(text[i]!)) return false;
      return true;
    }
    for (let i = 0; i < text.length; i++) if (bytes.getUint8(at + i) !== text[i]) return false;
    return true;
  }

  function scan(bytes: DataView, from: number, to: number, onHit: LiteralHit): void {
    const end = Math.min(to + reach, bytes.byteLength - PIECE_BYTES + 1);
    for (let i = from; i < end; i += stride) {
      const hash = Math.imul(bytes.getInt32(i, true) | FOLD, 0x9e3779b1) >>> (32 - HASH_BITS);
      if ((bits[hash >>> 5]! & (1 << (hash & 31))) === 0) continue;
      for (let entry = heads[hash]!; entry !== 0; entry = chainNext[entry]!) {
        const at = i - chainOffset[entry]!;
        if (at >= from && at < to && stands(bytes, at, chainLiteral[entry]!)) onHit(chainLiteral[entry]!, at);
      }
    }
  }

  return { longestBytes, scan: literals.length === 0 ? () => {} : scan };
}

function hashOf(piece: number): number {
  return Math.imul(piece | FOLD, 0x9e3779b1) >>> (32 - HASH_BITS);
}

function lower(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | 0x20 : byte;
}

/** How often a byte stands in logs, in parts of a thousand; capitals are rare, though the table folds them. */
const COMMON: Readonly<Record<string, number>> = {
  ' ': 90, e: 70, t: 55, o: 50, a: 50, n: 50, i: 50, r: 45, s: 45, '0': 45, '1': 40, '2': 35, '-': 30, '.': 30, l: 30, d: 30, c: 30,
  u: 25, '4': 25, '3': 25, '5': 25, '6': 20, '7': 20, '8': 20, '9': 20, p: 20, m: 20, '"': 20, ':': 25, '/': 20, b: 18, f: 18, g: 15, k: 12, h: 15,
};
const RARE = 6;

/** Start of the window whose pieces are least likely to stand elsewhere. */
function rarestWindow(text: Buffer, stride: number): number {
  const weights = [...text].map((byte) => COMMON[String.fromCharCode(byte)] ?? RARE);
  let bestStart = 0;
  let bestCost = Infinity;
  for (let start = 0; start + stride + PIECE_BYTES - 1 <= text.length; start++) {
    let cost = 0;
    for (let piece = start; piece < start + stride; piece++)
      cost += weights[piece]! * weights[piece + 1]! * weights[piece + 2]! * weights[piece + 3]!;
    if (cost < bestCost) {
      bestCost = cost;
      bestStart = start;
    }
  }
  return bestStart;
}
