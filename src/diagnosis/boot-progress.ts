// Where the boot stands: the last phase that ended well, the one after it, and how long it has got nowhere.
import type { Pack, Phase } from '../types.ts';
import type { Facts } from './facts.ts';
import type { Known } from './requirements.ts';
import { type PhaseState, phasesOf } from './timeline.ts';

export interface BootProgress {
  readonly reached: Phase | null;
  readonly current: Phase | null;
  /** When the latest milestone was seen. */
  readonly sinceMs: number | null;
  /** Since the boot last came to a milestone for the first time, null if unknown: a unit that restarts comes to nothing new. */
  readonly idleMs: number | null;
  /** True if that is longer than the current phase may take. */
  readonly stalled: boolean;
}

export function bootProgress(
  pack: Pack,
  facts: Facts,
  phases: readonly PhaseState[],
  ready: boolean,
  known: Known,
  uptimeSeconds: number | null,
): BootProgress {
  const { axis } = known;
  const order = phasesOf(pack, facts.get('os'));
  const latest = phases.findLast((state) => state.entry.state === 'finished')?.phase ?? null;
  // A node that was Ready and is no more stands in the last phase again.
  const reached = !ready && latest === order.at(-1) ? (order.at(-2) ?? null) : latest;
  const current = (reached === null ? phases[0]?.phase : order[order.indexOf(reached) + 1]) ?? null;
  const times = phases.map((phase) => axis.at(phase.lastRecord)).filter((at) => at !== null);
  const idleMs = idleSince(pack, known, uptimeSeconds);
  const patienceMs = current?.stalledAfterMs ?? Math.max(...order.map((phase) => phase.stalledAfterMs));
  return {
    reached,
    current,
    sinceMs: times.length === 0 ? null : Math.max(...times),
    idleMs,
    stalled: idleMs !== null && idleMs >= patienceMs,
  };
}

/** Where no milestone is dated, the whole time since the boot. */
function idleSince(pack: Pack, { match, axis }: Known, uptimeSeconds: number | null): number | null {
  const firsts = pack.milestones.flatMap(({ phase, kind, pattern }) => {
    const summary = phase === null || kind === 'failed' ? undefined : match.matches.get(pattern.key);
    return summary === undefined ? [] : (axis.at(summary.first) ?? []);
  });
  const sinceMs = firsts.length === 0 ? axis.bootMs : Math.max(...firsts);
  if (sinceMs !== null && axis.endMs !== null) return axis.endMs - sinceMs;
  return uptimeSeconds === null ? null : uptimeSeconds * 1000;
}
