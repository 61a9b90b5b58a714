// Groups matches into findings: a cause with the signatures and stalls that speak for it.
import type { Cause, LogRecord, MatchSummary, Pack, Signature } from '../types.ts';
import { applies, type Facts } from './facts.ts';
import { counts, type Known } from './requirements.ts';
import { findStall, type StallHit } from './stalls.ts';

export interface SignatureHit {
  readonly signature: Signature;
  readonly summary: MatchSummary;
}

export interface Finding {
  readonly cause: Cause;
  /** In the order of the cause's file, decisive ones first. */
  readonly hits: readonly SignatureHit[];
  readonly stall: StallHit | null;
  readonly decisive: boolean;
  readonly first: LogRecord;
  readonly last: LogRecord;
  readonly count: number;
}

export function findAll(pack: Pack, facts: Facts, known: Known): Finding[] {
  return pack.causes.flatMap((cause) => findOne(cause, pack, facts, known) ?? []);
}

function findOne(cause: Cause, pack: Pack, facts: Facts, known: Known): Finding | null {
  const hits = cause.signatures.flatMap((signature) => {
    const summary = known.match.matches.get(signature.pattern.key);
    const holds = summary !== undefined && applies(signature.appliesTo, facts) && counts(signature, summary, known);
    return holds ? [{ signature, summary }] : [];
  });
  const ordered = [...hits.filter((hit) => hit.signature.decisive), ...hits.filter((hit) => !hit.signature.decisive)];
  const stall = strongest(cause.stalls.flatMap((one) => findStall(one, pack, facts, known) ?? []));
  if (ordered.length === 0 && stall === null) return null;

  const records = ordered.length > 0 ? ordered.map((hit) => hit.summary) : [{ first: stall!.since, last: stall!.since, count: 1 }];
  const { axis } = known;
  return {
    cause,
    hits: ordered,
    stall,
    decisive: ordered.some((hit) => hit.signature.decisive) || (stall !== null && (stall.process !== null || stall.stall.process === null)),
    first: records.map((record) => record.first).reduce((a, b) => (axis.isBefore(b, a) === true ? b : a)),
    last: records.map((record) => record.last).reduce((a, b) => (axis.isBefore(a, b) === true ? b : a)),
    count: records.reduce((sum, record) => sum + record.count, 0),
  };
}

/** A process that was seen to hang, then a silence that needs none, then one whose process nobody could look for. */
function strongest(stalls: readonly StallHit[]): StallHit | null {
  return stalls.find((hit) => hit.process !== null) ?? stalls.find((hit) => hit.stall.process === null) ?? stalls[0] ?? null;
}
