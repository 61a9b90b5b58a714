// Decides whether the node is Ready: by what the API server answers about it, else by the last line that says so.
import type { Pack } from '../types.ts';
import type { Known } from './requirements.ts';

export interface Readiness {
  readonly ready: boolean;
  /** The probe that the API server answered, null if only the logs know. */
  readonly askedBy: string | null;
}

/** Asks the API server for the node's own object. Whatever else it ends with, a time-out or no token, leaves it to the logs. */
const PROBE = 'node-registered';
const ANSWERS: Readonly<Record<string, boolean>> = { ok: true, 'not-ready': false, unauthorized: false, forbidden: false, 'not-found': false };

export function readinessOf(pack: Pack, known: Known): Readiness {
  const answers = known.probes.flatMap(({ probe, code }) => (probe === PROBE ? (ANSWERS[code] ?? []) : []));
  return answers.length === 0 ? { ready: isReadyByLogs(pack, known), askedBy: null } : { ready: answers.every(Boolean), askedBy: PROBE };
}

/** Ready, and nothing said otherwise since. */
function isReadyByLogs(pack: Pack, { match, axis }: Known): boolean {
  const last = pack.phases.at(-1)!.id;
  const of = (kind: 'finished' | 'failed'): string | undefined => pack.milestones.find((milestone) => milestone.phase === last && milestone.kind === kind)?.id;
  const ready = match.matches.get(of('finished') ?? '');
  const notReady = match.matches.get(of('failed') ?? '');
  return ready !== undefined && (notReady === undefined || axis.isBefore(ready.last, notReady.last) !== true);
}
