// Leaves out what is not known, so that a fact is there or absent and never empty.
import type { ProbeFacts } from './probe.ts';

export function compactFacts(
  facts: Readonly<Record<string, string | number | boolean | null | undefined>>,
): ProbeFacts {
  const known = Object.entries(facts).filter((entry): entry is [string, string | number | boolean] => {
    const value = entry[1];
    return value !== null && value !== undefined && value !== '' && !Number.isNaN(value);
  });
  return Object.fromEntries(known);
}
