// Unpacks gzip and zstd as it is read. Cut or damaged data gives all that came out before, and says so.
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ByteSource } from '../../host/host.ts';
import type { Budget } from './budget.ts';

export type Compression = 'gzip' | 'zstd';

const PIECE_BYTES = 8 * 1024;
const CHUNK_BYTES = 64 * 1024;

export interface Decompressed extends ByteSource {
  /** Why it ended before the end of what was given, null if it did not. */
  problem(): 'truncated' | 'damaged' | 'unpack-limit' | 'followed' | null;
}

/** Zstandard came to Node with 22.15. */
export function canDecompress(compression: Compression): boolean {
  return compression === 'gzip' || typeof zlib.createZstdDecompress === 'function';
}

export function decompress(source: ByteSource, compression: Compression, budget: Budget): Decompressed {
  const sizes = { chunkSize: CHUNK_BYTES, readableHighWaterMark: CHUNK_BYTES };
  const engine: Transform = compression === 'gzip' ? zlib.createGunzip(sizes) : zlib.createZstdDecompress(sizes);
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let fedBytes = 0;
  let lastBytes = 0;
  let waiting: Buffer = Buffer.alloc(0);
  let problem: ReturnType<Decompressed['problem']> = null;
  let isOver = false;
  /** The piece that went in is used up. */
  let isHungry = true;
  let wake: () => void = () => {};
  engine.on('readable', () => wake());
  engine.on('end', () => {
    if (isFollowed()) problem ??= 'followed';
    over();
  });
  engine.on('error', (error: NodeJS.ErrnoException) => {
    problem ??= error.code === 'Z_BUF_ERROR' ? 'truncated' : 'damaged';
    over();
  });

  return {
    problem: () => problem,
    async read(into) {
      while (waiting.length === 0) {
        // Pulled chunk by chunk: one piece may come out some ten thousand times larger, and must not wait in memory.
        waiting = (engine.read() as Buffer | null) ?? waiting;
        if (waiting.length > 0) break;
        if (isOver) return 0;
        await step();
      }
      return give(into);
    },
    async close() {
      engine.destroy();
      await source.close();
    },
  };

  /** The engine stops at the end of its data; padding of zeros is no more of it. */
  function isFollowed(): boolean {
    const unused = fedBytes - (engine as zlib.Gunzip).bytesWritten;
    return unused > 0 && piece.subarray(lastBytes - Math.min(unused, lastBytes), lastBytes).some((byte) => byte !== 0);
  }

  function over(): void {
    isOver = true;
    wake();
  }

  /** One piece goes in, once all of the one before came out. The end is told only then: an error would throw waiting data away. */
  async function step(): Promise<void> {
    const bytes = isHungry ? await source.read(piece) : null;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (isOver || engine.readableLength > 0) resolve();
      else if (bytes === 0) engine.end();
      else if (bytes !== null) {
        isHungry = false;
        fedBytes += bytes;
        lastBytes = bytes;
        engine.write(piece.subarray(0, bytes), () => {
          isHungry = true;
          wake();
        });
      }
    });
  }

  function give(into: Buffer): number {
    const given = waiting.copy(into);
    waiting = waiting.subarray(given);
    const granted = budget.takeBytes(given);
    if (granted < given) {
      problem = 'unpack-limit';
      waiting = Buffer.alloc(0);
      engine.destroy();
      isOver = true;
    }
    return granted;
  }
}
