// Lets a Node stream be pulled into a caller's buffer. Takes no more from the stream than is asked for.
import type { Readable } from 'node:stream';
import type { ByteSource } from '../host.ts';
import { refusalOf } from './refusal.ts';

/** `name` is for messages. `read` throws a HostError, after all bytes that came before the failure were given out. */
export function pullStream(stream: Readable, name: string): ByteSource {
  let rest: Buffer = Buffer.alloc(0);
  let isOver = false;
  let failure: Error | null = null;
  let wake: () => void = () => {};
  const over = (): void => {
    isOver = true;
    wake();
  };
  stream.on('readable', () => wake());
  stream.on('end', over);
  stream.on('close', over);
  stream.on('error', (error: Error) => {
    failure ??= error;
    over();
  });

  return {
    async read(into) {
      for (;;) {
        if (rest.length === 0) rest = (stream.read() as Buffer | null) ?? rest;
        if (rest.length > 0) {
          const bytes = rest.copy(into);
          rest = rest.subarray(bytes);
          return bytes;
        }
        if (failure !== null) throw refusalOf(failure, name);
        if (isOver || stream.readableEnded || stream.destroyed) return 0;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      stream.destroy();
      over();
    },
  };
}
