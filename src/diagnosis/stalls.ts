// Finds faults that print nothing: a milestone was reached, the next one is missing for too long.
import type { LogRecord, MatchSummary, Pack, PhaseRole, Stall } from '../types.ts';
import { applies, type Facts } from './facts.ts';
import { phaseOfRole } from './phases.ts';
import type { Known } from './requirements.ts';

export interface StallHit {
  readonly stall: Stall;
  /** The milestone's record since which nothing came. */
  readonly since: LogRecord;
  /** True if the silence was long enough; false if only the process list speaks for it. */
  readonly measured: boolean;
  /** The process that hangs; null if the stall names none, or if no list of processes was given. */
  readonly process: MatchSummary | null;
}

/**
 * A process list has no stamp. If the logs of a capture end with the milestone itself, nobody knows how much later the list was
 * taken; the process in it still hangs where the logs end. On a live node it is known: there the silence must be long enough.
 */
const UNDATED_SNAPSHOT_MS = 10_000;

/** A node that has come through one of these does not hang before it. */
const LAST_ROLES: readonly PhaseRole[] = ['registration', 'network', 'ready'];

export function findStall(stall: Stall, pack: Pack, facts: Facts, known: Known): StallHit | null {
  if (!applies(stall.appliesTo, facts)) return null;
  const { match, axis } = known;
  const after = match.matches.get(stall.after);
  if (after === undefined || axis.endMs === null) return null;
  const since = lastStart(after, stall, pack, known);
  if (since === null) return null;
  const at = axis.at(since);
  if (at === null || wentOn(stall, pack, since, known)) return null;
  const process = stall.process === null ? null : (match.matches.get(stall.process.key) ?? null);
  // A list that could not be had says nothing.
  const listed = match.sources.some(
    ({ streams, bytes }) => streams.includes(pack.streamTable.processList) && bytes > 0,
  );
  if (stall.process !== null && process === null && listed) return null;
  const silentMs = axis.endMs - at;
  const measured = silentMs >= stall.forMs;
  if (!measured && (axis.isLive || process === null || silentMs > UNDATED_SNAPSHOT_MS)) return null;
  return { stall, since, measured, process };
}

/**
 * The start that no end followed: the first one, or the last one if an earlier try had ended. Null if all ended. What ends a
 * phase is no try: a node that registers again after a restart of the kubelet need not go through the rest again.
 */
function lastStart(after: MatchSummary, stall: Stall, pack: Pack, { match, axis }: Known): LogRecord | null {
  const ends = stall.without.flatMap((id) => match.matches.get(id)?.last ?? []);
  if (ends.length === 0) return after.first;
  if (pack.milestones.some((milestone) => milestone.id === stall.after && milestone.kind === 'finished')) return null;
  return ends.every((end) => axis.isBefore(end, after.last) === true) ? after.last : null;
}

/** Did the boot get further all the same? A registered or Ready node does not hang. */
function wentOn(stall: Stall, pack: Pack, since: LogRecord, { match, axis }: Known): boolean {
  const last = new Set(LAST_ROLES.map((role) => phaseOfRole(pack, role).id));
  return pack.milestones.some((milestone) => {
    if (
      milestone.id === stall.after ||
      milestone.kind !== 'finished' ||
      milestone.phase === null ||
      !last.has(milestone.phase)
    )
      return false;
    const reached = match.matches.get(milestone.id);
    return reached !== undefined && axis.isBefore(reached.last, since) !== true;
  });
}
