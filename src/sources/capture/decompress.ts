// Unpacks gzip and zstd as it is read. Cut or damaged data gives all that came out before, and says so.
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ByteSource } from '../../host/host.ts';
import type { Budget } from './budget.ts';

export type Compression = 'gzip' | 'zstd';

/** Small pieces go in, since one piece may come out a thousand times larger and waits in memory. */
const PIECE_BYTES = 8 * 1024;
const CHUNK_BYTES = 64 * 1024;

export interface Decompressed extends ByteSource {
  /** Why it ended before its end, null if it did not. */
  problem(): 'truncated' | 'damaged' | 'unpack-limit' | null;
}

/** Zstandard came to Node with 22.15. */
export function canDecompress(compression: Compression): boolean {
  return compression === 'gzip' || typeof zlib.createZstdDecompress === 'function';
}

export function decompress(source: ByteSource, compression: Compression, budget: Budget): Decompressed {
  const engine: Transform = compression === 'gzip' ? zlib.createGunzip({ chunkSize: CHUNK_BYTES }) : zlib.createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  const waiting: Buffer[] = [];
  let problem: ReturnType<Decompressed['problem']> = null;
  let isOver = false;
  let wake: () => void = () => {};
  engine.on('data', (chunk: Buffer) => waiting.push(chunk));
  engine.on('end', () => over());
  engine.on('error', (error: NodeJS.ErrnoException) => {
    problem ??= error.code === 'Z_BUF_ERROR' ? 'truncated' : 'damaged';
    over();
  });

  return {
    problem: () => problem,
    async read(into) {
      while (waiting.length === 0) {
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

  function over(): void {
    isOver = true;
    wake();
  }

  /** One piece goes in; what comes out of it waits. The end is told only then: an error would throw waiting data away. */
  async function step(): Promise<void> {
    const bytes = await source.read(piece);
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (bytes === 0) engine.end();
      else engine.write(piece.subarray(0, bytes), () => resolve());
    });
  }

  function give(into: Buffer): number {
    let given = 0;
    while (waiting.length > 0 && given < into.length) {
      const chunk = waiting.shift()!;
      const copied = chunk.copy(into, given);
      given += copied;
      if (copied < chunk.length) waiting.unshift(chunk.subarray(copied));
    }
    const granted = budget.takeBytes(given);
    if (granted < given) {
      problem = 'unpack-limit';
      waiting.length = 0;
      isOver = true;
    }
    return granted;
  }
}
