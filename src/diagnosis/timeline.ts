// The phases that the boot went through, with their times, and where it stands now.
import type { LogRecord, MatchSummary, Milestone, Pack, Phase, TimelineEntry } from '../types.ts';
import type { Facts } from './facts.ts';
import type { Known } from './requirements.ts';

export interface PhaseState {
  readonly phase: Phase;
  readonly entry: TimelineEntry;
  readonly lastMilestone: Milestone;
  readonly lastRecord: LogRecord;
}

interface Seen {
  readonly milestone: Milestone;
  readonly summary: MatchSummary;
}

export function timeline(pack: Pack, facts: Facts, known: Known): PhaseState[] {
  const family = facts.get('os');
  return pack.phases
    .filter((phase) => phase.families === null || family === undefined || phase.families.includes(family))
    .flatMap((phase) => {
      const seen = pack.milestones.flatMap((milestone) => {
        const summary = milestone.phase === phase.id ? known.match.matches.get(milestone.id) : undefined;
        return summary === undefined ? [] : [{ milestone, summary }];
      });
      return seen.length === 0 ? [] : [stateOf(phase, seen, known)];
    });
}

function stateOf(phase: Phase, seen: readonly Seen[], { axis }: Known): PhaseState {
  const first = seen.map(({ summary }) => summary.first).reduce((a, b) => (axis.isBefore(b, a) === true ? b : a));
  const latest = seen.reduce((a, b) => (axis.isBefore(b.summary.last, a.summary.last) === true ? a : b));
  const over = lastOf(seen, ['finished', 'ended'], axis);
  const failed = lastOf(seen, ['failed'], axis);
  const startedMs = axis.at(first);
  const endMs = over === null ? null : axis.at(over);
  const hasFailed = failed !== null && (over === null || axis.isBefore(over, failed) === true);
  const isStalled = over === null && startedMs !== null && axis.endMs !== null && axis.endMs - startedMs >= phase.stalledAfterMs;
  const state = hasFailed ? 'failed' : over !== null ? 'finished' : isStalled ? 'stalled' : 'running';
  return {
    phase,
    lastMilestone: latest.milestone,
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
