// What each conclusion needs to know of the speaker: the one table that says which provenance suffices for what.
import type { Confidence, MatchResult, MatchSummary, MilestoneKind, Pack, Provenance, Signature } from '../types.ts';
import type { Known } from './requirements.ts';

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
export function mostProvenBy(
  { wording, derivedOnly }: Signature,
  summary: MatchSummary,
  pack: Pack,
  known: Known,
): Confidence {
  const { provenance } = summary;
  if (provenance === 'foreign') return 'low';
  if (provenance === 'unproven' && wording !== 'own' && !isOfScript(summary, pack, known)) return 'low';
  const isDoubtful = provenance === 'named' && (known.axis.isLive || isOfJournal(summary));
  return derivedOnly || isDoubtful ? 'medium' : 'high';
}

/** Does it tell anything at all? */
export function tells({ wording }: Signature, { provenance }: MatchSummary): boolean {
  return wording !== 'anyone' || provenance !== 'unproven';
}

/** Does it stand in the log of a script of the AMI, behind the script's own lines and before its end? */
function isOfScript({ first, last }: MatchSummary, pack: Pack, { match, axis }: Known): boolean {
  const scripts = new Set(pack.phases.filter(({ isScript }) => isScript).map(({ id }) => id));
  const said = pack.milestones.flatMap(({ kind, phase, pattern }) => {
    const summary = phase !== null && scripts.has(phase) ? match.matches.get(pattern.key) : undefined;
    return summary === undefined ||
      summary.provenance === 'foreign' ||
      summary.first.origin.source !== last.origin.source
      ? []
      : [{ kind, summary }];
  });
  const isBegun = said.some(({ kind, summary }) => !ENDS.has(kind) && axis.isBefore(summary.first, last) === true);
  return isBegun && !said.some(({ kind, summary }) => ENDS.has(kind) && axis.isBefore(summary.last, first) === true);
}

/** A journal knows who wrote: a name is all that is known only where it has lost the rest. */
function isOfJournal({ first, last }: MatchSummary): boolean {
  return first.origin.cursor !== null && last.origin.cursor !== null;
}
