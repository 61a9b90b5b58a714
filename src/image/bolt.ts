// Reads the names of the images out of containerd's metadata store, a bbolt file, without containerd. Format: go.etcd.io/bbolt,
// page.go and bucket.go: pages of branch or leaf elements, buckets in buckets, the newer of two meta pages names the root.
import { HostError, type OpenFile } from '../host/host.ts';
import { fill } from '../lib/fill.ts';

const IMAGES_OF_KUBERNETES = ['v1', 'k8s.io', 'images'];
const MAGIC = 0xed0cdaed;
const PAGE_HEADER_BYTES = 16;
const ELEMENT_BYTES = 16;
const BUCKET_HEADER_BYTES = 16;
const BRANCH = 1;
const LEAF = 2;
const BUCKET_FLAG = 1;
const PAGE_SIZES = [4096, 8192, 16_384, 32_768, 65_536];
/** The store of an image has some hundred KiB; in a hostile one a page may lead to itself. */
const READ_MAX_BYTES = 16 * 1024 * 1024;
const DEPTH_MAX = 32;
const KEY_MAX_BYTES = 4096;

interface Element {
  readonly key: string;
  readonly value: Buffer;
  readonly isBucket: boolean;
}

/** Empty where the namespace has none. @throws HostError `read-failed` for a file that is no bbolt store, or longer */
export async function imageNames(file: OpenFile, maxBytes: number): Promise<string[]> {
  if (file.sizeBytes > maxBytes) throw broken();
  const { pageBytes, root } = await newestMeta(file);
  let bytesLeft = READ_MAX_BYTES;
  let elements = await elementsBelow(root);
  for (const name of IMAGES_OF_KUBERNETES) {
    const bucket = elements.find(({ key, isBucket }) => isBucket && key === name);
    if (bucket === undefined) return [];
    elements = await elementsOf(bucket.value);
  }
  return elements.filter(({ isBucket }) => isBucket).map(({ key }) => key);

  /** A small bucket stands as one page inside of its value. */
  async function elementsOf(value: Buffer): Promise<Element[]> {
    if (value.length < BUCKET_HEADER_BYTES) throw broken();
    const root = value.readBigUInt64LE(0);
    return root === 0n ? leafElements(value.subarray(BUCKET_HEADER_BYTES)) : elementsBelow(root);
  }

  async function elementsBelow(id: bigint, depth = 0): Promise<Element[]> {
    if (depth > DEPTH_MAX) throw broken();
    const page = await pageAt(id);
    const flags = page.readUInt16LE(8);
    if (flags === LEAF) return leafElements(page);
    if (flags !== BRANCH) throw broken();
    const found: Element[] = [];
    for (let at = 0; at < page.readUInt16LE(10); at++)
      found.push(...(await elementsBelow(childAt(page, at), depth + 1)));
    return found;
  }

  async function pageAt(id: bigint): Promise<Buffer> {
    const start = Number(id) * pageBytes;
    const head = await read(file, start, PAGE_HEADER_BYTES);
    const bytes = (head.readUInt32LE(12) + 1) * pageBytes;
    bytesLeft -= bytes;
    if (bytesLeft < 0) throw broken();
    return read(file, start, bytes);
  }
}

function childAt(branch: Buffer, at: number): bigint {
  return slice(branch, PAGE_HEADER_BYTES + at * ELEMENT_BYTES, ELEMENT_BYTES).readBigUInt64LE(8);
}

function leafElements(page: Buffer): Element[] {
  const count = slice(page, 0, PAGE_HEADER_BYTES).readUInt16LE(10);
  return Array.from({ length: count }, (_none, at) => {
    const start = PAGE_HEADER_BYTES + at * ELEMENT_BYTES;
    const element = slice(page, start, ELEMENT_BYTES);
    const [flags, place, keyBytes, valueBytes] = [0, 4, 8, 12].map((offset) => element.readUInt32LE(offset));
    if (keyBytes! > KEY_MAX_BYTES) throw broken();
    const key = slice(page, start + place!, keyBytes!);
    const value = slice(page, start + place! + keyBytes!, valueBytes!);
    return { key: key.toString('utf8'), value, isBucket: (flags! & BUCKET_FLAG) !== 0 };
  });
}

async function newestMeta(file: OpenFile): Promise<{ readonly pageBytes: number; readonly root: bigint }> {
  const first = await metaAt(file, 0);
  const pageSizes = first === null ? PAGE_SIZES : [first.pageBytes];
  const seconds = await Promise.all(pageSizes.map((bytes) => metaAt(file, bytes)));
  const [newest] = [first, ...seconds]
    .flatMap((meta) => meta ?? [])
    .toSorted((a, b) => Number(b.transaction - a.transaction));
  if (newest === undefined) throw broken();
  return newest;
}

interface Meta {
  readonly pageBytes: number;
  readonly root: bigint;
  readonly transaction: bigint;
}

/** Null for one that a power cut left half written: its checksum does not fit. */
async function metaAt(file: OpenFile, start: number): Promise<Meta | null> {
  if (start + 80 > file.sizeBytes) return null;
  const page = await read(file, start, 80);
  const pageBytes = page.readUInt32LE(24);
  const isWhole = page.readUInt32LE(16) === MAGIC && page.readBigUInt64LE(72) === checksum(page.subarray(16, 72));
  if (!isWhole || !PAGE_SIZES.includes(pageBytes)) return null;
  return { pageBytes, root: page.readBigUInt64LE(32), transaction: page.readBigUInt64LE(64) };
}

/** FNV-1a with 64 bits. */
function checksum(bytes: Buffer): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

async function read(file: OpenFile, start: number, bytes: number): Promise<Buffer> {
  if (start + bytes > file.sizeBytes) throw broken();
  const into = Buffer.alloc(bytes);
  if ((await fill(into, (rest, at) => file.readAt(rest, start + at))) < bytes) throw broken();
  return into;
}

function slice(from: Buffer, start: number, bytes: number): Buffer {
  if (start + bytes > from.length) throw broken();
  return from.subarray(start, start + bytes);
}

function broken(): HostError {
  return new HostError(
    'read-failed',
    "containerd's metadata store is damaged, too large, or of a format that is not known",
  );
}
