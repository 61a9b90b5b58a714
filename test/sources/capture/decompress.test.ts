import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { Budget } from '../../../src/sources/capture/budget.ts';
import { type Compression, type Decompressed, decompress } from '../../../src/sources/capture/decompress.ts';
import { DEFAULT_LIMITS } from '../../../src/sources/input.ts';
import { bytesSource, readUpTo } from '../../../src/sources/capture/peek.ts';

const TEXT = Buffer.from(Array.from({ length: 60_000 }, (_value, i) => `line ${(i * 7919) % 65_521}\n`).join(''));
const MAX_BYTES = 1024 * 1024;

function open(packed: Buffer, compression: Compression = 'gzip'): Decompressed {
  return decompress(bytesSource(packed), compression, new Budget(DEFAULT_LIMITS));
}

for (const [compression, pack] of [
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const) {
  test(`${compression}: gives the whole text`, async () => {
    const source = open(pack(TEXT), compression);
    assert.ok((await readUpTo(source, MAX_BYTES)).equals(TEXT));
    assert.equal(source.problem(), null);
  });

  test(`${compression}: cut data gives what came out, and says so`, async () => {
    const packed = pack(TEXT);
    const source = open(packed.subarray(0, packed.length - 5_000), compression);
    const bytes = await readUpTo(source, MAX_BYTES);
    assert.ok(bytes.length > TEXT.length / 2 && TEXT.subarray(0, bytes.length).equals(bytes));
    assert.equal(source.problem(), 'truncated');
  });

  test(`${compression}: damaged data gives what came before, and says so`, async () => {
    const packed = Buffer.from(pack(TEXT));
    packed.fill(0xa5, packed.length - 20_000, packed.length - 10_000);
    const source = open(packed, compression);
    const bytes = await readUpTo(source, MAX_BYTES);
    assert.ok(bytes.length > 0);
    assert.equal(source.problem(), 'damaged');
  });
}

test('rotated logs that were appended to each other are all read', async () => {
  const source = open(Buffer.concat([gzipSync('first\n'), gzipSync('second\n')]));
  assert.equal((await readUpTo(source, 100)).toString(), 'first\nsecond\n');
  assert.equal(source.problem(), null);
});

test('what follows the compressed data is no reason to lose it', async () => {
  const source = open(Buffer.concat([gzipSync('text\n'), Buffer.alloc(50_000)]));
  assert.equal((await readUpTo(source, 100)).toString(), 'text\n');
});

test('a second part that is not read is said', async () => {
  const source = open(Buffer.concat([zstdCompressSync('first\n'), zstdCompressSync('second\n')]), 'zstd');
  assert.equal((await readUpTo(source, 100)).toString(), 'first\n');
  assert.equal(source.problem(), 'followed');
});

test('a file that lacks some of the eight bytes behind its data is called cut', async () => {
  for (let missing = 1; missing <= 8; missing++) {
    const packed = gzipSync('text\n');
    const source = open(packed.subarray(0, packed.length - missing));
    assert.equal((await readUpTo(source, 100)).toString(), 'text\n');
    assert.equal(source.problem(), 'truncated');
  }
});

test('can be closed before its end', async () => {
  const source = open(gzipSync(TEXT));
  await readUpTo(source, 10);
  await source.close();
});
