// The phases that the boot went through, with their times, and where it stands now.
import type { LogRecord, MatchSummary, Milestone, Pack, Phase, TimelineEntry } from '../types.ts';
import type { Facts } from './facts.ts';
import type { Known } from './requirements.ts';

export interface PhaseState {
  readonly phase: Phase;
  readonly entry: TimelineEntry;
  readonly firstRecord: LogRecord;
  readonly lastRecord: LogRecord;
}

interface Seen {
  readonly milestone: Milestone;
  readonly summary: MatchSummary;
}

export function timeline(pack: Pack, facts: Facts, known: Known): PhaseState[] {
  const family = facts.get('os');
  const states = phasesOf(pack, family).flatMap((phase) => {
    const seen = pack.milestones.flatMap((milestone) => {
      const summary = milestone.phase === phase.id ? known.match.matches.get(milestone.id) : undefined;
      return summary === undefined ? [] : [{ milestone, summary }];
    });
    return seen.length === 0 ? [] : [stateOf(phase, seen, known)];
  });
  return states.map((state, s) =>
    hasEnd(pack, state.phase) || states[s + 1] === undefined ? state : endedBy(state, states[s + 1]!, known),
  );
}

/** The phases that this OS family goes through; all of them while the family is unknown. */
export function phasesOf(pack: Pack, family: string | undefined): Phase[] {
  return pack.phases.filter(
    (phase) => phase.families === null || family === undefined || phase.families.includes(family),
  );
}

function hasEnd(pack: Pack, phase: Phase): boolean {
  return pack.milestones.some(
    (milestone) => milestone.phase === phase.id && ['finished', 'ended', 'failed'].includes(milestone.kind),
  );
}

/** A phase that prints no end is over when the next one begins. */
function endedBy(state: PhaseState, next: PhaseState, { axis }: Known): PhaseState {
  const [from, to] = [axis.at(state.firstRecord), axis.at(next.firstRecord)];
  const seconds = from === null || to === null ? null : Math.max(0, Math.round(to - from) / 1000);
  return { ...state, entry: { ...state.entry, state: 'finished', seconds } };
}

function stateOf(phase: Phase, seen: readonly Seen[], { axis }: Known): PhaseState {
  const first = seen.map(({ summary }) => summary.first).reduce((a, b) => (axis.isBefore(b, a) === true ? b : a));
  const latest = seen.reduce((a, b) => (axis.isBefore(b.summary.last, a.summary.last) === true ? a : b));
  const over = lastOf(seen, ['finished', 'ended'], axis);
  const failed = lastOf(seen, ['failed'], axis);
  const startedMs = axis.at(first);
  const endMs = over === null ? null : axis.at(over);
  const hasFailed = failed !== null && (over === null || axis.isBefore(over, failed) === true);
  const isStalled =
    over === null && startedMs !== null && axis.endMs !== null && axis.endMs - startedMs >= phase.stalledAfterMs;
  const state = hasFailed ? 'failed' : over !== null ? 'finished' : isStalled ? 'stalled' : 'running';
  return {
    phase,
    firstRecord: first,
    lastRecord: latest.summary.last,
    entry: {
      phase: phase.id,
      title: phase.title,
      state,
      startedAt: axis.format(startedMs),
      seconds: startedMs === null || endMs === null ? null : Math.max(0, Math.round(endMs - startedMs) / 1000),
    },
  };
}

function lastOf(seen: readonly Seen[], kinds: readonly Milestone['kind'][], axis: Known['axis']): LogRecord | null {
  const records = seen.filter(({ milestone }) => kinds.includes(milestone.kind)).map(({ summary }) => summary.last);
  return records.length === 0 ? null : records.reduce((a, b) => (axis.isBefore(a, b) === true ? b : a));
}
