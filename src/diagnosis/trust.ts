// What each conclusion needs to know of the speaker: the one table that says which provenance suffices for what.
import type { Confidence, MatchResult, MatchSummary, MilestoneKind, Pack, Provenance, Signature } from '../types.ts';

/** Who may end a phase or a finding, or call the node Ready. A live node can be asked again, and anybody on it can write a log line. */
const MAY_END = {
  live: new Set<Provenance>(['proven']),
  capture: new Set<Provenance>(['proven', 'named', 'pasted']),
} as const;

const ENDS: ReadonlySet<MilestoneKind> = new Set(['finished', 'ended']);

export function mayEnd({ provenance }: Pick<MatchSummary, 'provenance'>, isLive: boolean): boolean {
  return MAY_END[isLive ? 'live' : 'capture'].has(provenance);
}

/** What was found without the ends that nobody vouches for. */
export function trusted(pack: Pack, match: MatchResult, isLive: boolean): MatchResult {
  const doubtful = pack.milestones.filter(({ kind, pattern }) => {
    const summary = ENDS.has(kind) ? match.matches.get(pattern.key) : undefined;
    return summary !== undefined && !mayEnd(summary, isLive);
  });
  if (doubtful.length === 0) return match;
  const keys = new Set(doubtful.map(({ pattern }) => pattern.key));
  return { ...match, matches: new Map([...match.matches].filter(([key]) => !keys.has(key))) };
}

/** The most that a signature's records can prove. low: any program could have said it, and nobody knows which one did. */
export function mostProvenBy({ wording, derivedOnly }: Signature, summary: MatchSummary, isLive: boolean): Confidence {
  const { provenance } = summary;
  if (provenance === 'foreign' || (provenance === 'unproven' && wording === 'common')) return 'low';
  const isDoubtful = provenance === 'named' && (isLive || isOfJournal(summary));
  return derivedOnly || isDoubtful ? 'medium' : 'high';
}

/** A journal knows who wrote: a name is all that is known only where it has lost the rest. */
function isOfJournal({ first, last }: MatchSummary): boolean {
  return first.origin.cursor !== null && last.origin.cursor !== null;
}
