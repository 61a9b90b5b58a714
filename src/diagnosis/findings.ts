// Groups what is known into findings: a cause with the signatures, stalls and answers of probes that speak for it.
import type { Cause, LogRecord, MatchSummary, Pack } from '../types.ts';
import { type Answer, answersAbout, type Boot } from './answers.ts';
import type { Axis } from './axis.ts';
import type { Finding } from './finding.ts';
import { applies, type Facts } from './facts.ts';
import { possibility } from './possibility.ts';
import { proofsOfHealth } from './recovery.ts';
import { counts, type Known } from './requirements.ts';
import { findStall, type StallHit } from './stalls.ts';

export function findAll(pack: Pack, facts: Facts, known: Known, boot: Boot): Finding[] {
  return pack.causes.flatMap((cause) => findOne(cause, pack, facts, known, boot) ?? []);
}

/** What an excerpt leaves open, for causes that nothing settles. */
export function findPossible(pack: Pack, facts: Facts, known: Known): Finding[] {
  return pack.causes.flatMap((cause) => {
    if (cause.kind !== 'cause') return [];
    const hits = cause.signatures.flatMap((signature) => {
      const summary = known.match.matches.get(signature.pattern.key);
      const possible = summary !== undefined && applies(signature.appliesTo, facts) ? possibility(signature, summary, known) : null;
      return possible === null ? [] : [{ signature, summary: summary!, possible }];
    });
    if (hits.length === 0) return [];
    const possible = hits.some((hit) => hit.possible === 'medium') ? 'medium' : 'low';
    const { last, firstMs, lastMs } = extentOf(
      hits.map(({ summary }) => summary),
      known.axis,
    );
    const lastedMs = firstMs === null || lastMs === null ? 0 : lastMs - firstMs;
    const count = hits.reduce((sum, { summary }) => sum + summary.count, 0);
    const decisive = hits.some(({ signature }) => signature.decisive);
    return [{ cause, hits, stall: null, answers: [], proven: false, decisive, possible, last, firstMs, lastMs, lastedMs, count }];
  });
}

interface Extent {
  readonly last: LogRecord | null;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

function extentOf(records: readonly Pick<MatchSummary, 'first' | 'last'>[], axis: Axis): Extent {
  const firsts = records.map((record) => record.first);
  const lasts = records.map((record) => record.last);
  const last = lasts.length === 0 ? null : lasts.reduce((a, b) => (axis.isBefore(a, b) === true ? b : a));
  const firstMs = firsts.length === 0 ? null : axis.at(firsts.reduce((a, b) => (axis.isBefore(b, a) === true ? b : a)));
  return { last, firstMs, lastMs: last === null ? null : axis.at(last) };
}

function findOne(cause: Cause, pack: Pack, facts: Facts, known: Known, boot: Boot): Finding | null {
  const hits = cause.signatures.flatMap((signature) => {
    const summary = known.match.matches.get(signature.pattern.key);
    const holds = summary !== undefined && applies(signature.appliesTo, facts) && counts(signature, summary, known);
    return holds ? [{ signature, summary }] : [];
  });
  const ordered = [...hits.filter((hit) => hit.signature.decisive), ...hits.filter((hit) => !hit.signature.decisive)];
  const stall = strongest(cause.stalls.flatMap((one) => findStall(one, pack, facts, known) ?? []));
  const answers = weighed(answersAbout(cause, facts, known, boot), cause, pack, known);
  const proven = answers.some(({ as }) => as === 'proves');
  if (ordered.length === 0 && stall === null && !proven) return null;

  const { axis } = known;
  const ofStall = stall === null ? [] : [{ first: stall.since, last: stall.since, count: 1 }];
  const records = ordered.length > 0 ? ordered.map((hit) => hit.summary) : ofStall;
  const { last, firstMs, lastMs: lastSeenMs } = extentOf(records, axis);
  const lastMs = proven ? axis.endMs : lastSeenMs;
  const unseenMs = records.length === 0 ? (boot.idleMs ?? 0) : 0;
  return {
    cause,
    hits: ordered,
    stall,
    answers,
    proven,
    decisive: proven || ordered.some((hit) => hit.signature.decisive) || (stall !== null && (stall.process !== null || stall.stall.process === null)),
    possible: null,
    last,
    firstMs,
    lastMs,
    lastedMs: firstMs === null || lastMs === null ? unseenMs : lastMs - firstMs,
    count: records.reduce((sum, record) => sum + record.count, 0),
  };
}

/** What has worked in this boot, a probe alone does not prove broken; beside lines it still counts. */
function weighed(answers: readonly Answer[], cause: Cause, pack: Pack, { match }: Known): readonly Answer[] {
  if (!proofsOfHealth(cause, pack).some((key) => match.matches.has(key))) return answers;
  return answers.map((answer) => (answer.as === 'proves' ? { ...answer, as: 'confirms' } : answer));
}

/** A process that was seen to hang, then a silence that needs none, then one whose process nobody could look for. */
function strongest(stalls: readonly StallHit[]): StallHit | null {
  return stalls.find((hit) => hit.process !== null) ?? stalls.find((hit) => hit.stall.process === null) ?? stalls[0] ?? null;
}
