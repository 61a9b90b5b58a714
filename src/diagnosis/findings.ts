// Groups what is known into findings: a cause with the signatures, stalls and answers of probes that speak for it.
import type { Cause, LogRecord, MatchSummary, Milestone, Pack, Signature } from '../types.ts';
import { type Answer, answersAbout, type BootState } from './answers.ts';
import type { Axis } from './axis.ts';
import type { Finding } from './finding.ts';
import { applies, type Facts } from './facts.ts';
import { possibility } from './possibility.ts';
import { proofsOfHealth } from './recovery.ts';
import { counts, type Known } from './requirements.ts';
import { findStall, type StallHit } from './stalls.ts';
import { mayEnd, mostProvenBy, tells } from './trust.ts';

export function findAll(pack: Pack, facts: Facts, known: Known, boot: BootState): Finding[] {
  return pack.causes.flatMap((cause) => findOne(cause, pack, facts, known, boot) ?? []);
}

/** What an excerpt leaves open, for causes that nothing settles. */
export function findPossible(pack: Pack, facts: Facts, known: Known): Finding[] {
  return pack.causes.flatMap((cause) => {
    if (cause.kind !== 'cause') return [];
    const hits = cause.signatures.flatMap((signature) => {
      const summary = tellingMatch(signature, facts, known);
      const possible = summary === null ? null : possibility(signature, summary, known);
      return summary === null || possible === null
        ? []
        : [{ signature, summary, possible, most: mostProvenBy(signature, summary, pack, known) }];
    });
    if (hits.length === 0) return [];
    const possible = hits.some((hit) => hit.possible === 'medium' && hit.most !== 'low') ? 'medium' : 'low';
    const { last, firstMs, lastMs } = extentOf(
      hits.map(({ summary }) => summary),
      known.axis,
    );
    const lastedMs = firstMs === null || lastMs === null ? 0 : lastMs - firstMs;
    const count = hits.reduce((sum, { summary }) => sum + summary.count, 0);
    const decisive = hits.some(({ signature }) => signature.decisive);
    return [
      {
        cause,
        hits,
        stall: null,
        answers: [],
        proven: false,
        decisive,
        possible,
        last,
        firstMs,
        lastMs,
        lastedMs,
        count,
      },
    ];
  });
}

/** What may hang or may only be slow, for causes that nothing settles. */
export function findSuspects(pack: Pack, facts: Facts, known: Known, boot: BootState): Finding[] {
  return pack.causes.flatMap((cause) => {
    const stall = cause.stalls.flatMap((one) => (one.suspects ? (findStall(one, pack, facts, known) ?? []) : []))[0];
    if (stall === undefined) return [];
    const atMs = known.axis.at(stall.since);
    const extent = { last: stall.since, firstMs: atMs, lastMs: atMs, lastedMs: 0, count: 1 };
    const answers = answersAbout(cause, facts, known, boot);
    return [{ cause, hits: [], stall, answers, proven: false, decisive: false, possible: 'low' as const, ...extent }];
  });
}

/** What a signature matched on this kind of node, by words that tell anything; null if nothing. */
function tellingMatch(signature: Signature, facts: Facts, { match }: Known): MatchSummary | null {
  const summary = match.matches.get(signature.pattern.key);
  return summary !== undefined && tells(signature, summary) && applies(signature.appliesTo, facts) ? summary : null;
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

function findOne(cause: Cause, pack: Pack, facts: Facts, known: Known, boot: BootState): Finding | null {
  const hits = cause.signatures.flatMap((signature) => {
    const summary = tellingMatch(signature, facts, known);
    return summary !== null && counts(signature, summary, known)
      ? [{ signature, summary, most: mostProvenBy(signature, summary, pack, known) }]
      : [];
  });
  const ordered = [...hits.filter((hit) => hit.signature.decisive), ...hits.filter((hit) => !hit.signature.decisive)];
  const stall = strongest(
    cause.stalls.flatMap((one) => (one.suspects ? [] : (findStall(one, pack, facts, known) ?? []))),
  );
  const answers = weighed(answersAbout(cause, facts, known, boot), cause, pack, known);
  const proven = answers.some(({ as }) => as === 'proves');
  if (ordered.length === 0 && stall === null && !proven) return null;

  const { axis } = known;
  const ofStall = stall === null ? [] : [{ first: stall.since, last: stall.since, count: 1 }];
  const records = ordered.length > 0 ? ordered.map((hit) => hit.summary) : ofStall;
  const { last, firstMs, lastMs: lastSeenMs } = extentOf(records, axis);
  const lastMs = proven ? axis.endMs : lastSeenMs;
  const stays = ordered.some(({ signature, most }) => signature.stays && signature.decisive && most !== 'low');
  const seenMs = firstMs === null || lastMs === null ? null : lastMs - firstMs;
  const stayedMs =
    stays && firstMs !== null && axis.endMs !== null ? Math.min(axis.endMs - firstMs, boot.idleMs ?? 0) : 0;
  const unseenMs = records.length === 0 ? (boot.idleMs ?? 0) : 0;
  return {
    cause,
    hits: ordered,
    stall,
    answers,
    proven,
    decisive:
      proven ||
      ordered.some((hit) => hit.signature.decisive && hit.most !== 'low') ||
      (stall !== null && (stall.process !== null || stall.stall.process === null)),
    possible: null,
    last,
    firstMs,
    lastMs,
    lastedMs: seenMs === null ? unseenMs : Math.max(seenMs, stayedMs),
    count: records.reduce((sum, record) => sum + record.count, 0),
  };
}

/** What has worked in this boot, or went on to later steps, a probe alone does not prove broken; beside lines it still counts. */
function weighed(answers: readonly Answer[], cause: Cause, pack: Pack, { match, axis }: Known): readonly Answer[] {
  if (!answers.some(({ as }) => as === 'proves')) return answers;
  const hasWorked = (key: string): boolean => {
    const proof = match.matches.get(key);
    return proof !== undefined && mayEnd(proof, axis.isLive);
  };
  if (![...proofsOfHealth(cause, pack), ...laterWords(cause, pack)].some(hasWorked)) return answers;
  return answers.map((answer) => (answer.as === 'proves' ? { ...answer, as: 'confirms' } : answer));
}

/** What the component of the cause's phase says in later phases: it runs. systemd speaks of everything. */
function laterWords({ phase }: Cause, pack: Pack): string[] {
  const order = (id: string | null): number => pack.phases.findIndex((one) => one.id === id);
  const speakers = new Set(
    pack.milestones
      .filter((one) => one.phase === phase && one.kind === 'finished')
      .flatMap(({ pattern }) => pattern.streams ?? []),
  );
  speakers.delete('systemd');
  const isLater = (one: Milestone): boolean => one.kind !== 'failed' && order(one.phase) > order(phase);
  return pack.milestones
    .filter((one) => isLater(one) && one.pattern.streams?.some((stream) => speakers.has(stream)) === true)
    .map(({ id }) => id);
}

/** A process that was seen to hang, then a silence that needs none, then one whose process nobody could look for. */
function strongest(stalls: readonly StallHit[]): StallHit | null {
  return (
    stalls.find((hit) => hit.process !== null) ?? stalls.find((hit) => hit.stall.process === null) ?? stalls[0] ?? null
  );
}
