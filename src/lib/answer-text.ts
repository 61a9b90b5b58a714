// Takes single values out of what a service answered; none of it is trusted to be what it should be.

const VALUE_MAX_CHARS = 256;

/** An empty object for what is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Null for what is no text, empty, too long, or not printable ASCII. */
export function firstLine(value: unknown, maxChars = VALUE_MAX_CHARS): string | null {
  const line = typeof value === 'string' ? value.split('\n', 1)[0]!.trim() : '';
  return line !== '' && line.length <= maxChars && /^[\x20-\x7e]+$/.test(line) ? line : null;
}
