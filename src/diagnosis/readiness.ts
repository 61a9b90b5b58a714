// Decides whether the node is Ready: by what the API server answers about it, else by the last line that says so.
import type { Milestone, Pack } from '../types.ts';
import type { Known } from './requirements.ts';

export interface Readiness {
  readonly ready: boolean;
  /** The probe that the API server answered, null if only the logs know. */
  readonly askedBy: string | null;
  /** How many records of their own speak for it: milestones of the last phases that are proven. */
  readonly witnesses: number;
}

/** Asks the API server for the node's own object. Whatever else it ends with, a time-out or no token, leaves it to the logs. */
const PROBE = 'node-registered';
const ANSWERS: Readonly<Record<string, boolean>> = { ok: true, 'not-ready': false, unauthorized: false, forbidden: false, 'not-found': false };

export function readinessOf(pack: Pack, known: Known): Readiness {
  const answers = known.probes.flatMap(({ probe, code }) => (probe === PROBE ? (ANSWERS[code] ?? []) : []));
  const witnesses = witnessesOf(pack, known);
  return answers.length === 0 ? { ready: isReadyByLogs(pack, known), askedBy: null, witnesses } : { ready: answers.every(Boolean), askedBy: PROBE, witnesses };
}

/** Registration, network and Ready: what a node goes through in the end. */
const LAST_PHASES = 3;

function witnessesOf(pack: Pack, { match }: Known): number {
  const last = new Set(pack.phases.slice(-LAST_PHASES).map(({ id }) => id));
  const speaks = ({ phase, kind }: Milestone): boolean => phase !== null && last.has(phase) && (kind === 'finished' || kind === 'progress');
  return pack.milestones.filter((milestone) => speaks(milestone) && match.matches.get(milestone.pattern.key)?.provenance === 'proven').length;
}

/** Ready, and nothing said otherwise since. */
function isReadyByLogs(pack: Pack, { match, axis }: Known): boolean {
  const last = pack.phases.at(-1)!.id;
  const of = (kind: 'finished' | 'failed'): string | undefined => pack.milestones.find((milestone) => milestone.phase === last && milestone.kind === kind)?.id;
  const ready = match.matches.get(of('finished') ?? '');
  const notReady = match.matches.get(of('failed') ?? '');
  return ready !== undefined && (notReady === undefined || axis.isBefore(ready.last, notReady.last) !== true);
}
