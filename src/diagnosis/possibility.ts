// A few pasted lines cannot show how often, for how long, or together with what: says what they leave open.
import type { Confidence, Level, MatchResult, MatchSummary, Pack, Signature } from '../types.ts';
import { counts, type Known } from './requirements.ts';

/** As the matcher calls it where nothing tells the stream. */
const UNKNOWN_STREAM = 'unknown';
/** More text shows by itself what did not happen. */
const EXCERPT_MAX_BYTES = 32 * 1024;
/** Stamps that go on tell by themselves how often it came. */
const EXCERPT_MAX_MS = 1_000;
const ERRORS: ReadonlySet<Level | null> = new Set(['error', 'fatal', null]);
const REPEATS_WITHIN_MS = 60_000;

/** True for a part of one log that does not tell of the boot: neither a live node nor a capture of one. */
export function isExcerpt(pack: Pack, { match, axis, probes }: Known): boolean {
  const sources = match.sources.filter(({ bytes }) => bytes > 0);
  const startsBoot = pack.milestones.some(({ id, pattern }) => pattern.startsBoot && match.matches.has(id));
  const isNode = axis.isLive || probes.length > 0 || match.bootWallMs !== null || startsBoot;
  return (
    !isNode &&
    sources.length === 1 &&
    sources[0]!.bytes <= EXCERPT_MAX_BYTES &&
    (coveredMs(match) ?? 0) <= EXCERPT_MAX_MS
  );
}

/** How long the lines go on, null where they do not tell. */
function coveredMs({ sources }: MatchResult): number | null {
  const [source] = sources.filter(({ bytes }) => bytes > 0);
  return source === undefined || source.firstWallMs === null || source.lastWallMs === null
    ? null
    : source.lastWallMs - source.firstWallMs;
}

/** Too short to show whether it goes on for so long. */
export function isTooShort(match: MatchResult, ms: number): boolean {
  const covered = coveredMs(match);
  return covered === null || covered < ms;
}

/**
 * How sure a match in an excerpt is that does not count as it stands: more of its kind may stand outside. Null if the lines
 * show that it does not hold, and where it proves nothing but together with another that is not there.
 */
export function possibility(signature: Signature, summary: MatchSummary, known: Known): Confidence | null {
  const { occurrences, requires, wording, decisive } = signature;
  // What a program itself calls no error is one only where it keeps coming.
  if (!decisive || !ERRORS.has(summary.last.level)) return null;
  const isSeldom = occurrences !== null && !counts({ ...signature, requires: [] }, summary, known);
  if (isSeldom && !isTooShort(known.match, occurrences.lastingMs ?? occurrences.withinMs ?? REPEATS_WITHIN_MS))
    return null;
  const missing = requires.filter(
    (requirement) => !counts({ ...signature, occurrences: null, requires: [requirement] }, summary, known),
  );
  if (missing.some(({ absent, kind }) => absent || kind !== 'probe')) return null;
  if (wording === 'own' && missing.length === 0) return 'medium';
  // Words that any program may print are nobody's where nothing tells who wrote them.
  return summary.streams.every((stream) => stream === UNKNOWN_STREAM) ? null : 'low';
}
