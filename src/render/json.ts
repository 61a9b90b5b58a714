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

/** `prefix` is put before every line, empty for none; `awsChecks` is there only if it is a script. Ends with a newline. */
export function renderJson(verdict: RedactedVerdict, prefix: string, awsChecks: string | null = null): string {
  const whole = awsChecks === null ? ordered(verdict) : { ...ordered(verdict), awsChecks };
  return JSON.stringify(whole, null, 2).replaceAll(/^/gm, () => prefix) + '\n';
}

/** One line, for a run that says more than one verdict. Ends with a newline. */
export function renderJsonLine(verdict: RedactedVerdict, prefix: string): string {
  return `${prefix}${JSON.stringify(ordered(verdict))}\n`;
}

function ordered(verdict: RedactedVerdict): Record<string, unknown> {
  return Object.fromEntries(KEYS.map((key) => [key, verdict[key]]));
}
