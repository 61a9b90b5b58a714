// Opens standard input once: a file that was redirected is read in large chunks, a pipe as it comes.
import { fstatSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { ByteSource } from './host.ts';
import { pullStream } from './pull-stream.ts';

const STDIN = 0;
const readFrom = promisify(read);

export function openStdin(): ByteSource {
  if (!isFile()) return pullStream(process.stdin);
  return {
    async read(into) {
      return (await readFrom(STDIN, into, 0, into.length, null)).bytesRead;
    },
    async close() {},
  };
}

function isFile(): boolean {
  try {
    return fstatSync(STDIN).isFile();
  } catch {
    return false;
  }
}
