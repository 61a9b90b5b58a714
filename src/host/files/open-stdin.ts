// Opens standard input once: a file that was redirected is read in large chunks, a pipe or a terminal as it comes.
import { fstatSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { type ByteSource, HostError } from '../host.ts';
import { pullStream } from './pull-stream.ts';
import { kindOfStats, refusalOf } from './refusal.ts';

const STDIN = 0;
const NAME = 'standard input';
const readFrom = promisify(read);

/** @throws HostError `directory`; `read` throws one too */
export function openStdin(): ByteSource {
  const kind = kindOfStats(fstatSync(STDIN));
  if (kind === 'directory') throw new HostError(kind, NAME);
  if (kind !== 'file') return pullStream(process.stdin, NAME);
  return {
    async read(into) {
      try {
        return (await readFrom(STDIN, into, 0, into.length, null)).bytesRead;
      } catch (error) {
        throw refusalOf(error, NAME);
      }
    },
    async close() {},
  };
}
