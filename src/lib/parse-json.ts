// Reads one JSON object or list out of a text that may be anything.

/** Null for what is no JSON, or JSON of another kind. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** Empty for what is no list. */
export function parseList(text: string): readonly unknown[] {
  const value = parse(text);
  return Array.isArray(value) ? value : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
