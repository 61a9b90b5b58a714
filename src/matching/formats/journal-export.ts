// `journalctl -o export`: `KEY=value` lines, or `KEY`, a little-endian length and the bytes; entries end with an empty
// line. The entry has been cut out before; here its bytes arrive as latin1, so that lengths count bytes.
import type { LogFormat } from '../line-state.ts';
import { applyJournalFields, isSaid } from './journal-json.ts';

const HEAD = '__CURSOR=';
const NOT_ASCII = /[\x80-\xff]/;

export const journalExport: LogFormat = {
  name: 'journal-export',
  unwrap(line) {
    if (!line.text.startsWith(HEAD) || isSaid(line)) return false;
    const fields = readExportFields(line.text);
    applyJournalFields(line, (name) => fields.get(name) ?? null);
    return true;
  },
};

/** Fields of one entry given as latin1; values are decoded from UTF-8. A repeated field keeps its first value. */
export function readExportFields(entry: string): Map<string, string> {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < entry.length) {
    const newline = entry.indexOf('\n', at);
    const end = newline < 0 ? entry.length : newline;
    const equals = entry.indexOf('=', at);
    if (equals >= 0 && equals < end) {
      put(entry.slice(at, equals), entry.slice(equals + 1, end));
      at = end + 1;
      continue;
    }
    if (end === at || end + 9 > entry.length) break;
    const length = readLength(entry, end + 1);
    put(entry.slice(at, end), entry.slice(end + 9, end + 9 + length));
    at = end + 9 + length + 1;
  }
  return fields;

  function put(name: string, latin1: string): void {
    if (fields.has(name)) return;
    fields.set(name, NOT_ASCII.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1);
  }
}

/** Little-endian 64-bit length; more than 2^32 cannot be in a bounded entry and counts as all the rest. */
function readLength(entry: string, at: number): number {
  let length = 0;
  for (let i = 7; i >= 0; i--) length = length * 256 + entry.charCodeAt(at + i);
  return Math.min(length, entry.length);
}
