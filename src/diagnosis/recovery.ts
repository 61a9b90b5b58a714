// Decides whether a finding is over: something that proves the opposite came after its last record.
import type { Cause, LogRecord, Pack } from '../types.ts';
import { answeredBy } from './answered.ts';
import type { Finding } from './finding.ts';
import type { Readiness } from './readiness.ts';
import { phaseOfRole } from './phases.ts';
import type { Known } from './requirements.ts';
import { mayEnd } from './trust.ts';

/**
 * Id of the milestone, signature or probe that ended the finding, null if it is still active. A probe answers of now, after
 * every line: a node that the API server calls Ready has nothing left that keeps it from being so.
 */
export function recoveredBy(finding: Finding, pack: Pack, { ready, askedBy }: Readiness, known: Known): string | null {
  const { cause, answers, last, stall, hits } = finding;
  if (ready && askedBy !== null && cause.severity !== 'degraded') return askedBy;
  const end = answers.find(({ as }) => as === 'ends');
  if (end !== undefined) return end.result.probe;
  if (last === null || (stall !== null && hits.length === 0)) return null;
  const healthy = proofsOfHealth(cause, pack).find((key) => {
    const proof = known.match.matches.get(key);
    return (
      proof !== undefined && mayEnd(proof, known.axis.isLive) && comesAfter(proof.last, last, cause, pack, key, known)
    );
  });
  return healthy ?? answeredBy(finding, known);
}

/**
 * What ends a finding: its `recoveredBy`, without which the good end of its phase; and a registered node whatever came
 * before it. A Ready node ends all but what leaves a node Ready (degraded). A registered node may still be ill by what was
 * found of the machine itself: that, such as a full disk, is there before and after.
 */
export function proofsOfHealth(cause: Cause, pack: Pack): string[] {
  const order = (phase: string | null): number => pack.phases.findIndex((one) => one.id === phase);
  const own = order(cause.phase);
  const registration = order(phaseOfRole(pack, 'registration').id);
  const machine = order(phaseOfRole(pack, 'machine').id);
  const ready = phaseOfRole(pack, 'ready').id;
  const ofPhases = pack.milestones.filter((milestone) => {
    if (milestone.kind !== 'finished') return false;
    if (milestone.phase === ready) return cause.severity !== 'degraded';
    const phase = order(milestone.phase);
    return (
      (phase === own && cause.recoveredBy.length === 0) ||
      (phase === registration && own > machine && own < registration)
    );
  });
  return [...cause.recoveredBy, ...ofPhases.map((milestone) => milestone.id)];
}

/** Where times are missing, a milestone of the same or a later phase is taken to come after. */
function comesAfter(
  proof: LogRecord,
  last: LogRecord,
  cause: Cause,
  pack: Pack,
  key: string,
  { axis }: Known,
): boolean {
  const before = axis.isBefore(last, proof);
  if (before !== null) return before;
  const phaseOf = (id: string | null | undefined): number => pack.phases.findIndex((phase) => phase.id === id);
  const milestone = pack.milestones.find((one) => one.id === key);
  return milestone !== undefined && phaseOf(milestone.phase) >= phaseOf(cause.phase);
}
