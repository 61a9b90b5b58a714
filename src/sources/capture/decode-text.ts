// Makes UTF-8 text of what a file holds: UTF-16 is converted, a byte order mark dropped, a console output taken out of its JSON
// or base64. Everything else passes through untouched, broken bytes and CRLF included.
import type { ByteSource } from '../../host/host.ts';
import { CONSOLE_MAX_BYTES, consoleText, mayBeConsoleOutput } from './console-output.ts';
import { bytesSource, peek, prefixed, readUpTo } from './peek.ts';
import { type WideEncoding, wideEncoding } from './wide-encoding.ts';

const PEEK_BYTES = 4096;
const CHUNK_BYTES = 256 * 1024;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export async function decodeText(source: ByteSource): Promise<ByteSource> {
  const { head, source: whole } = await peek(source, PEEK_BYTES);
  const encoding = wideEncoding(head);
  if (encoding !== null) return fromWide(whole, encoding);
  if (head.subarray(0, 3).equals(UTF8_MARK)) return prefixed(head.subarray(3), source);
  if (!mayBeConsoleOutput(head)) return whole;
  const start = await readUpTo(whole, CONSOLE_MAX_BYTES);
  const text = start.length < CONSOLE_MAX_BYTES ? consoleText(start) : null;
  if (text === null) return prefixed(start, source);
  return { ...bytesSource(text), close: () => source.close() };
}

function fromWide(source: ByteSource, encoding: WideEncoding): ByteSource {
  // Drops the mark, joins units that a chunk cuts, and replaces what is no UTF-16.
  const decoder = new TextDecoder(encoding);
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let waiting: Buffer = Buffer.alloc(0);
  let isOver = false;
  return {
    async read(into) {
      while (waiting.length === 0 && !isOver) {
        const bytes = await source.read(chunk);
        isOver = bytes === 0;
        waiting = Buffer.from(
          isOver ? decoder.decode() : decoder.decode(chunk.subarray(0, bytes), { stream: true }),
          'utf8',
        );
      }
      const given = waiting.copy(into);
      waiting = waiting.subarray(given);
      return given;
    },
    close: () => source.close(),
  };
}
