// Sends a few lines through the shipped matcher, as an input of their own, and returns what matched.
import { createMatcher } from '../../src/matching/matcher.ts';
import type { MatchResult, MatchSummary, Milestone, Pack, Pattern } from '../../src/types.ts';

/** Places stamps without a year; any fixed time does. */
export const CLOCK = { referenceMs: Date.UTC(2025, 5, 1) };

export interface Input {
  readonly bytes: Uint8Array;
  /** Stream that the file's name gives; null: every line names its own. */
  readonly stream: string | null;
  /** True for `journalctl -o export`. */
  readonly exported: boolean;
}

export function readInput(pack: Pack, input: Input): MatchResult {
  const matcher = createMatcher(pack, CLOCK);
  const reader = matcher.open({ name: 'sample', stream: input.stream, exported: input.exported });
  reader.push(input.bytes);
  matcher.close(reader);
  return matcher.result();
}

/** A sample as it stands in its file, read from a file of the given stream. */
export function readText(pack: Pack, text: string, stream: string | null): MatchResult {
  return readInput(pack, { bytes: Buffer.from(text), stream: stream === 'unknown' ? null : stream, exported: false });
}

/** A pack that holds one expression only: quick to make, and nothing else can match. */
export function packOf(pack: Pack, pattern: Pattern): Pack {
  const only: Milestone = { id: pattern.key, kind: 'fact', phase: null, title: pattern.key, pattern, facts: {} };
  return { ...pack, milestones: [only], causes: [] };
}

export function readAlone(pack: Pack, pattern: Pattern, input: Input): MatchSummary | undefined {
  return readInput(packOf(pack, pattern), input).matches.get(pattern.key);
}
