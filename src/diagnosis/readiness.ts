// Decides whether the node is Ready: by what the API server answers about it, else by the last line that says so.
import type { Milestone, Pack } from '../types.ts';
import { phaseOfRole } from './phases.ts';
import type { Known } from './requirements.ts';

export interface Readiness {
  readonly ready: boolean;
  /** The probe that the API server answered, null if only the logs know. */
  readonly askedBy: string | null;
  /** How many records of their own speak for it: milestones of the last phases that are proven. */
  readonly witnesses: number;
}

export function readinessOf(pack: Pack, known: Known): Readiness {
  const { asks } = phaseOfRole(pack, 'ready');
  const codes = known.probes.flatMap(({ probe, code }) =>
    probe === asks?.probe && [...asks.yes, ...asks.no].includes(code) ? code : [],
  );
  const witnesses = witnessesOf(pack, known);
  if (asks === null || codes.length === 0) return { ready: isReadyByLogs(pack, known), askedBy: null, witnesses };
  return { ready: codes.every((code) => asks.yes.includes(code)), askedBy: asks.probe, witnesses };
}

/** Milestones of what a node goes through in the end, by proven words. */
function witnessesOf(pack: Pack, { match }: Known): number {
  const last = new Set(pack.phases.filter(({ role }) => role !== null).map(({ id }) => id));
  const speaks = ({ phase, kind }: Milestone): boolean =>
    phase !== null && last.has(phase) && (kind === 'finished' || kind === 'progress');
  return pack.milestones.filter(
    (milestone) => speaks(milestone) && match.matches.get(milestone.pattern.key)?.provenance === 'proven',
  ).length;
}

/** Ready, and nothing said otherwise since. */
function isReadyByLogs(pack: Pack, { match, axis }: Known): boolean {
  const last = phaseOfRole(pack, 'ready').id;
  const of = (kind: 'finished' | 'failed'): string | undefined =>
    pack.milestones.find((milestone) => milestone.phase === last && milestone.kind === kind)?.id;
  const ready = match.matches.get(of('finished') ?? '');
  const notReady = match.matches.get(of('failed') ?? '');
  return ready !== undefined && (notReady === undefined || axis.isBefore(ready.last, notReady.last) !== true);
}
