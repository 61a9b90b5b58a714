// Keeps the last errors of all inputs together within bounds: a capture may hold thousands of files, each with errors of its own.
import type { LogRecord, SourceSummary } from '../types.ts';

const HELD_MAX = 512;
const KEPT = 256;

/** The newest ones stay, each text once; untouched as long as there are few. */
export function keepLastErrors(summaries: readonly SourceSummary[]): readonly SourceSummary[] {
  const held = summaries.reduce((sum, { lastErrors }) => sum + lastErrors.length, 0);
  if (held <= HELD_MAX) return summaries;
  const texts = new Set<string>();
  const records = summaries
    .flatMap(({ lastErrors }) => lastErrors)
    .filter(({ message }) => !texts.has(message) && texts.add(message));
  const kept = new Set(records.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, KEPT));
  return summaries.map((summary) =>
    summary.lastErrors.length === 0
      ? summary
      : { ...summary, lastErrors: summary.lastErrors.filter((record) => kept.has(record)) },
  );
}

function timeOf({ time }: LogRecord): number {
  return time.wallMs ?? time.monotonicMs ?? 0;
}
