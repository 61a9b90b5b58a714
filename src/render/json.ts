// A verdict for programs: JSON in the shape of docs/verdict.schema.json, keys in the order of types.ts.
import type { RedactedVerdict, Verdict } from '../types.ts';

const KEYS = [
  'schemaVersion',
  'id',
  'status',
  'final',
  'cause',
  'otherCauses',
  'symptoms',
  'recovered',
  'phase',
  'timeline',
  'evidence',
  'probes',
  'notChecked',
  'node',
  'tool',
  'bootId',
  'sequence',
  'at',
  'uptimeSeconds',
] as const satisfies readonly (keyof Verdict)[];

/** `prefix` is put before every line, empty for none. Ends with a newline. */
export function renderJson(verdict: RedactedVerdict, prefix: string): string {
  const ordered = Object.fromEntries(KEYS.map((key) => [key, verdict[key]]));
  return JSON.stringify(ordered, null, 2).replaceAll(/^/gm, () => prefix) + '\n';
}
