// Gives a source's text without what stands round its lines. The first bytes tell whether there is anything; if not, all
// passes through untouched and nothing is kept in memory.
import type { ByteSource } from '../../../host/host.ts';
import { bytesSource, peek, prefixed, readUpTo } from '../peek.ts';
import { undoWrapping } from './undo-wrapping.ts';

const LOOKED_AT_BYTES = 64 * 1024;
/** Pastes and exports are small; what is larger stays as it is. */
const HELD_MAX_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

export async function unwrapped(source: ByteSource): Promise<ByteSource> {
  const { head, source: whole } = await peek(source, LOOKED_AT_BYTES);
  const isAll = head.length < LOOKED_AT_BYTES;
  const looked = isAll ? head : head.subarray(0, head.lastIndexOf(NEWLINE) + 1);
  if (looked.includes(0)) return whole;
  const undone = undoWrapping(looked.toString('utf8'));
  if (isAll) return undone === null ? whole : instead(source, undone);
  if (undone === null && !/^\s*[[{]\s*(?:"[\w@]+"\s*:\s*[[{]|[[{]\s*\n|\n)/.test(head.toString('latin1', 0, 256)))
    return whole;
  const start = await readUpTo(whole, HELD_MAX_BYTES);
  const text = start.length < HELD_MAX_BYTES ? undoWrapping(start.toString('utf8')) : null;
  return text === null ? prefixed(start, source) : instead(source, text);
}

function instead(source: ByteSource, text: string): ByteSource {
  return { ...bytesSource(Buffer.from(text, 'utf8')), close: () => source.close(), isRewritten: true };
}
