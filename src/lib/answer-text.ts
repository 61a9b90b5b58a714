// Takes single values out of what a service answered; none of it is trusted to be what it should be.
import { parseObject } from './parse-json.ts';

const VALUE_MAX_CHARS = 256;

/** An empty object for what is none. */
export function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  return parseObject(text) ?? {};
}

/** Null for what is no text, empty, too long, or not printable ASCII. */
export function firstLine(value: unknown, maxChars = VALUE_MAX_CHARS): string | null {
  const line = typeof value === 'string' ? value.split('\n', 1)[0]!.trim() : '';
  return line !== '' && line.length <= maxChars && /^[\x20-\x7e]+$/.test(line) ? line : null;
}
