// Finds every place in raw bytes where one of many literals stands. The text is probed at every few bytes only: from each
// literal a window of `stride + 3` bytes is chosen, all its 4-byte pieces go into a table, and any occurrence of the
// literal then holds one piece at a probed place. Common pieces are told apart by the four bytes beside them before any
// literal is compared. Pieces and tables ignore case; the final comparison decides.

export interface Literal {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** Called with the literal's index and the place where it begins. Places come in the order of their lines. */
export type LiteralHit = (literal: number, at: number) => void;

export interface LiteralScan {
  /** Reports each literal that begins in `[from, to)` and ends within the bytes. */
  scan(bytes: DataView, from: number, to: number, onHit: LiteralHit): void;
}

/** One 32-bit read. */
const PIECE_BYTES = 4;
/** A stride of 10 would ask for literals of 13 bytes and more; the shortest literal of the pack, of 8, allows 5. */
const STRIDE_MAX = 9;
/** A bit a hash: 32 KiB, as much as a core's first cache holds. The pack's pieces, some 4,000, set 1.5 % of the bits. */
const HASH_BITS = 18;
/** 64 KiB: asked only of what the pairs let through, where a longer chain costs little. */
const HEAD_BITS = 14;
/** 64 KiB; asked only where a piece was found, so it may lie in the second cache. */
const PAIR_BITS = 19;
/** Bit 5 of each byte: sets ASCII letters to lower case, and maps a few other characters onto each other, which costs a look. */
const FOLD = 0x20202020;

export function createLiteralScan(literals: readonly Literal[]): LiteralScan {
  const texts = literals.map(({ text }) => Buffer.from(text, 'latin1'));
  const folded = Uint8Array.from(literals, ({ ignoreCase }) => (ignoreCase ? 1 : 0));
  const shortest = Math.min(...texts.map((text) => text.length), STRIDE_MAX + PIECE_BYTES - 1);
  const stride = shortest - PIECE_BYTES + 1;

  // A bit for each hash, and chained entries (literal, place of the piece in it) behind the hash.
  const bits = new Int32Array(1 << (HASH_BITS - 5));
  const pairs = new Int32Array(1 << (PAIR_BITS - 5));
  /** Pieces of literals so short that no neighbour tells them apart. */
  const alone = new Int32Array(1 << (HASH_BITS - 5));
  const heads = new Int32Array(1 << HEAD_BITS);
  const entryLiteral: number[] = [0];
  const entryOffset: number[] = [0];
  const entryNext: number[] = [0];
  const entryPiece: number[] = [0];
  let reach = 0;
  texts.forEach((text, literal) => {
    const pieces = piecesOf(text);
    const start = rarestWindow(text, pieces, stride);
    for (let offset = start; offset < start + stride; offset++) {
      const piece = pieces[offset]!;
      const hash = hashOf(piece);
      setBit(bits, hash);
      if (offset + 2 * PIECE_BYTES <= text.length) setBit(pairs, pairHash(piece, pieces[offset + PIECE_BYTES]!));
      else if (offset >= PIECE_BYTES) setBit(pairs, pairHash(pieces[offset - PIECE_BYTES]!, piece));
      else setBit(alone, hash);
      entryLiteral.push(literal);
      entryOffset.push(offset);
      const head = hash >>> (HASH_BITS - HEAD_BITS);
      entryNext.push(heads[head]!);
      entryPiece.push(piece);
      heads[head] = entryLiteral.length - 1;
      reach = Math.max(reach, offset + 1);
    }
  });
  const chainLiteral = Int32Array.from(entryLiteral);
  const chainOffset = Int32Array.from(entryOffset);
  const chainNext = Int32Array.from(entryNext);
  const chainPiece = Int32Array.from(entryPiece);

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
    for (let i = skip(bytes, from, end); i < end; i = skip(bytes, i + stride, end)) visit(bytes, i, from, to, onHit);
  }

  /** The hot loop, alone in its function: the next probed place whose piece is in the table, or `end`. */
  function skip(bytes: DataView, from: number, end: number): number {
    const table = bits;
    const step = stride;
    let i = from;
    for (; i < end; i += step) {
      const hash = Math.imul(bytes.getInt32(i, true) | FOLD, 0x9e3779b1) >>> (32 - HASH_BITS);
      if ((table[hash >>> 5]! & (1 << (hash & 31))) !== 0) return i;
    }
    return end;
  }

  /** Compares the literals whose piece stands at `i`. */
  function visit(bytes: DataView, i: number, from: number, to: number, onHit: LiteralHit): void {
    const piece = bytes.getInt32(i, true);
    const hash = Math.imul(piece | FOLD, 0x9e3779b1) >>> (32 - HASH_BITS);
    if (
      i >= PIECE_BYTES &&
      i + 2 * PIECE_BYTES <= bytes.byteLength &&
      (alone[hash >>> 5]! & (1 << (hash & 31))) === 0
    ) {
      const after = pairHash(piece, bytes.getInt32(i + PIECE_BYTES, true));
      if ((pairs[after >>> 5]! & (1 << (after & 31))) === 0) {
        const before = pairHash(bytes.getInt32(i - PIECE_BYTES, true), piece);
        if ((pairs[before >>> 5]! & (1 << (before & 31))) === 0) return;
      }
    }
    for (let entry = heads[hash >>> (HASH_BITS - HEAD_BITS)]!; entry !== 0; entry = chainNext[entry]!) {
      const literal = chainLiteral[entry]!;
      if (piece !== chainPiece[entry] && folded[literal] === 0) continue;
      const at = i - chainOffset[entry]!;
      if (at >= from && at < to && stands(bytes, at, literal)) onHit(literal, at);
    }
  }

  return { scan: literals.length === 0 ? () => {} : scan };
}

function hashOf(piece: number): number {
  return Math.imul(piece | FOLD, 0x9e3779b1) >>> (32 - HASH_BITS);
}

function pairHash(first: number, second: number): number {
  return Math.imul(Math.imul(first | FOLD, 0x85ebca6b) ^ (second | FOLD), 0x9e3779b1) >>> (32 - PAIR_BITS);
}

function setBit(table: Int32Array, bit: number): void {
  table[bit >>> 5]! |= 1 << (bit & 31);
}

function lower(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | 0x20 : byte;
}

/** Lines as they stand in every log by the thousand: a window that shares pieces with them would be probed in vain. */
const EVERYDAY = [
  '{"__REALTIME_TIMESTAMP":"1741070419609382","__MONOTONIC_TIMESTAMP":"0","_BOOT_ID":"26434a3b0e6b64ea","_HOSTNAME":"ip-10-0-1-23.us-west-2.compute.internal","PRIORITY":"6","SYSLOG_IDENTIFIER":"kernel","_TRANSPORT":"stdout","_SYSTEMD_UNIT":"kubelet.service","MESSAGE":"',
  '__CURSOR=s=739ad463348b4ceca5a9e69c95a3c93f;i=4ece7;b=6c7c6013a26343b29e964691ff25d04c;m=4fc72436e;t=4c508a72423d9;x=d3e5610681098c10',
  '_SOURCE_REALTIME_TIMESTAMP=1342540861416351 _MACHINE_ID=a91663387a90b89f185d4e860000001a _SYSTEMD_CGROUP=/system.slice/containerd.service _EXE=/usr/bin/kubelet _COMM=systemd',
  'Jun 06 19:33:03 ip-10-150-127-198.ec2.internal kubelet[3214]: I0606 19:33:03.828406    3214 kubelet_node_status.go:96] "Container runtime node status" err="failed to list node" node="ip-10-0-1-23" pod="kube-system/aws-node-x7k2p" podUID="84b2394b-d223" containerName="aws-node" volumeName="kube-api-access"',
  'containerd[2233]: time="2025-01-30T17:03:37.415511933Z" level=info msg="PullImage from image service error container sandbox id returns successfully" Kubernetes reconciler kubelet.go: node.go: controller.go: reflector.go:',
  '{"level":"debug","ts":"2025-02-02T23:22:02.555Z","caller":"ipamd/ipamd.go:1187","msg":"IP stats for Network Card 0 - total IPs: 9, assigned IPs: 9, cooldown IPs: 0"} IP pool ENI address prefix Trying to Reconciling Successfully',
  'systemd[1]: Started Starting Created slice Listening on Reached target Finished System Service Socket Device Mount service. configuration Condition check resulted in being skipped of the and for to is in',
  'arn:aws:sts::111122223333:assumed-role eks.amazonaws.com amazonaws.com/ https:// request response status code: region version name cluster image event message error failed loading plugin io.containerd. type=',
].join('\n');

const EVERYDAY_PIECES = new Set(piecesOf(Buffer.from(EVERYDAY)).map((piece) => piece | FOLD));

/** How often a byte stands in logs, in parts of a thousand. */
const COMMON: Readonly<Record<string, number>> = {
  ' ': 90,
  e: 70,
  t: 55,
  o: 50,
  a: 50,
  n: 50,
  i: 50,
  r: 45,
  s: 45,
  '0': 45,
  '1': 40,
  '2': 35,
  '-': 30,
  '.': 30,
  l: 30,
  d: 30,
  c: 30,
  u: 25,
  '4': 25,
  '3': 25,
  '5': 25,
  '6': 20,
  '7': 20,
  '8': 20,
  '9': 20,
  p: 20,
  m: 20,
  '"': 20,
  ':': 25,
  '/': 20,
  b: 18,
  f: 18,
  g: 15,
  k: 12,
  h: 15,
};
const RARE = 6;
const EVERYDAY_COST = 50_000_000;
const WEIGHTS = Uint8Array.from({ length: 256 }, (_none, byte) => COMMON[String.fromCharCode(byte)] ?? RARE);

/** Start of the window whose pieces are least likely to stand elsewhere. */
function rarestWindow(text: Buffer, pieces: Int32Array, stride: number): number {
  let cost = 0;
  let bestStart = 0;
  let bestCost = Infinity;
  for (let end = 1; end <= pieces.length; end++) {
    cost += costAt(text, pieces, end - 1);
    if (end > stride) cost -= costAt(text, pieces, end - 1 - stride);
    if (end < stride || cost >= bestCost) continue;
    bestCost = cost;
    bestStart = end - stride;
  }
  return bestStart;
}

function costAt(text: Buffer, pieces: Int32Array, at: number): number {
  const everyday = EVERYDAY_PIECES.has(pieces[at]! | FOLD) ? EVERYDAY_COST : 0;
  return everyday + WEIGHTS[text[at]!]! * WEIGHTS[text[at + 1]!]! * WEIGHTS[text[at + 2]!]! * WEIGHTS[text[at + 3]!]!;
}

/** The four bytes from each place on, as one number. */
function piecesOf(text: Buffer): Int32Array {
  const pieces = new Int32Array(text.length - PIECE_BYTES + 1);
  let piece = (text[0]! << 8) | (text[1]! << 16) | (text[2]! << 24);
  for (let at = 0; at < pieces.length; at++) {
    piece = (piece >>> 8) | (text[at + PIECE_BYTES - 1]! << 24);
    pieces[at] = piece;
  }
  return pieces;
}
