// From matches, milestones and probe results to the one verdict. Pure: now is handed in.
import { createHash } from 'node:crypto';
import type { Evidence, FindingSummary, MatchResult, Pack, Phase, ProbeResult, RecoveredFinding, Signature, Status, Verdict, VerdictCause } from '../types.ts';
import { type Axis, createAxis } from './axis.ts';
import { confidenceOf, lastedMs } from './confidence.ts';
import { evidenceFor, lastErrors } from './evidence.ts';
import { type Facts, gatherFacts, nodeFacts } from './facts.ts';
import { findAll, type Finding } from './findings.ts';
import { fillCommand, fillProse } from './placeholders.ts';
import { outlives, rank, type Ranked } from './ranking.ts';
import { recoveredBy } from './recovery.ts';
import { counts, type Known } from './requirements.ts';
import { type PhaseState, phasesOf, timeline } from './timeline.ts';

export interface DiagnosisContext {
  /** Unix time in ms on a live node; null in a capture, where the last record's time counts. */
  readonly nowMs: number | null;
  readonly uptimeSeconds: number | null;
  readonly version: string;
  readonly sequence: number;
  readonly final: boolean;
}

export function diagnose(pack: Pack, match: MatchResult, probes: readonly ProbeResult[], context: DiagnosisContext): Verdict {
  const axis = createAxis(match, context.nowMs);
  const known: Known = { match, probes, axis };
  const facts = gatherFacts(pack, match);
  const phases = timeline(pack, facts, known);
  const ready = isReady(pack, known);

  const findings = findAll(pack, facts, known);
  const ended = new Map(findings.map((finding) => [finding.cause.id, recoveredBy(finding, pack, known)]));
  const active = findings.filter((finding) => ended.get(finding.cause.id) === null && !isPassing(finding, ready, axis));
  const ranked = rank(active, pack, probes, axis);
  const root = ranked.roots[0] ?? null;
  const standing = standingOf(pack, facts, phases, axis);
  const status = statusOf(root, ready, phases, standing, axis);
  const summarize = (finding: Finding): FindingSummary => ({
    id: finding.cause.id,
    title: finding.cause.title,
    confidence: confidenceOf(finding, probes, axis),
    firstAt: axis.format(axis.at(finding.first)),
    lastAt: axis.format(axis.at(finding.last)),
    count: finding.count,
    explainedBy: ranked.explainedBy.get(finding.cause.id) ?? null,
  });

  const body = {
    schemaVersion: 1 as const,
    status,
    final: context.final,
    cause: root === null ? null : wordCause(root, facts, probes, axis),
    otherCauses: others(root, active, ranked, axis).map(summarize),
    symptoms: active.filter((finding) => finding.cause.kind === 'symptom').map(summarize),
    recovered: recovered(pack, match, findings, ended, axis),
    phase: { reached: standing.reached?.id ?? null, current: standing.current?.id ?? null, since: axis.format(standing.sinceMs) },
    timeline: phases.map((phase) => phase.entry),
    evidence: root !== null ? evidenceFor(root, axis) : status === 'ready' ? ([] as Evidence[]) : lastErrors(match, axis),
    probes,
    notChecked: match.notChecked,
    node: nodeFacts(facts),
    tool: { version: context.version, packDigest: pack.digest, replaced: pack.replaced, added: pack.added, disabled: pack.disabled },
    bootId: match.bootId,
    sequence: context.sequence,
    at: axis.format(axis.endMs),
    uptimeSeconds: context.uptimeSeconds ?? secondsBetween(axis.bootMs, axis.endMs),
  };
  return { ...body, id: verdictId(body) };
}

/** Hash of instance, boot, sequence and content: a repeated delivery carries the same id. */
function verdictId(body: Omit<Verdict, 'id'>): string {
  const { node, bootId, sequence, status, cause, phase, evidence } = body;
  return createHash('sha256')
    .update(JSON.stringify([node.instanceId, bootId, sequence, status, cause, phase, evidence]))
    .digest('hex')
    .slice(0, 32);
}

/** Ready, and nothing said otherwise since. */
function isReady(pack: Pack, { match, axis }: Known): boolean {
  const last = pack.phases.at(-1)!.id;
  const of = (kind: 'finished' | 'failed'): string | undefined => pack.milestones.find((milestone) => milestone.phase === last && milestone.kind === kind)?.id;
  const ready = match.matches.get(of('finished') ?? '');
  const notReady = match.matches.get(of('failed') ?? '');
  return ready !== undefined && (notReady === undefined || axis.isBefore(ready.last, notReady.last) !== true);
}

const READY_NODE_PATIENCE_MS = 60_000;
/** The CNI waits up to two minutes before it asks EC2 again, the kubelet up to five before it pulls again. */
const READY_NODE_SILENCE_MS = 300_000;

/** What leaves a node Ready counts once it has lasted; on a Ready node everything must be decisive and, unless fatal, last and go on. */
function isPassing(finding: Finding, ready: boolean, axis: Axis): boolean {
  const { severity, persistsMs } = finding.cause;
  const lasted = lastedMs(finding, axis);
  if (severity === 'degraded' && lasted < persistsMs) return true;
  if (!ready) return false;
  return !finding.decisive || (severity !== 'fatal' && (lasted < Math.max(persistsMs, READY_NODE_PATIENCE_MS) || isOver(finding, axis)));
}

/** Has the input gone on without it for as long as it lasted? */
function isOver(finding: Finding, axis: Axis): boolean {
  const [last, end] = [axis.at(finding.last), axis.endOf(finding.last)];
  return last !== null && end !== null && end - last >= Math.max(lastedMs(finding, axis), finding.cause.persistsMs, READY_NODE_SILENCE_MS);
}

function statusOf(root: Finding | null, ready: boolean, phases: readonly PhaseState[], { current, sinceMs }: Standing, axis: Axis): Status {
  if (root !== null) {
    if (ready && root.cause.severity === 'degraded') return 'ready';
    return root.hits.length === 0 ? 'stalled' : 'failed';
  }
  if (ready) return 'ready';
  if (current === null || sinceMs === null || axis.endMs === null) return 'unknown';
  if (phases.some((phase) => phase.phase === current && phase.entry.state === 'failed')) return 'unknown';
  return axis.endMs - sinceMs >= current.stalledAfterMs ? 'stalled' : 'bootstrapping';
}

function wordCause(root: Finding, facts: Facts, probes: readonly ProbeResult[], axis: Axis): VerdictCause {
  const { cause } = root;
  const values = new Map<string, string>(facts);
  for (const hit of root.hits.toReversed()) for (const [name, value] of Object.entries(hit.summary.lastCaptures)) values.set(name, value);
  return {
    id: cause.id,
    title: cause.title,
    confidence: confidenceOf(root, probes, axis),
    summary: fillProse(cause.summary, values),
    remedy: cause.remedy.map((step) => ({ text: fillProse(step.text, values), command: step.command === null ? null : fillCommand(step.command, values) })),
    references: cause.references,
  };
}

/** A silence that no list of processes explains, and a short spell that is over, are not worth a word beside the root. */
function others(root: Finding | null, active: readonly Finding[], ranked: Ranked, axis: Axis): Finding[] {
  const isGuess = (finding: Finding): boolean => finding.hits.length === 0 && !finding.decisive && root?.decisive === true;
  const causes = active.filter(
    (finding) => finding.cause.kind === 'cause' && finding !== root && !isGuess(finding) && !(root !== null && outlives(root, finding, axis)),
  );
  return [...ranked.roots.filter((finding) => causes.includes(finding)), ...causes.filter((finding) => !ranked.roots.includes(finding))];
}

function recovered(pack: Pack, match: MatchResult, findings: readonly Finding[], ended: ReadonlyMap<string, string | null>, axis: Axis): RecoveredFinding[] {
  const inThisBoot = findings
    .filter((finding) => finding.cause.kind === 'cause' && ended.get(finding.cause.id) !== null)
    .map((finding): RecoveredFinding => ({
      id: finding.cause.id,
      title: finding.cause.title,
      state: 'recovered',
      lastAt: axis.format(axis.at(finding.last)),
      by: ended.get(finding.cause.id)!,
    }));
  const then: Known = { match: { ...match, matches: match.earlierMatches }, probes: [], axis };
  const before = pack.causes.flatMap((cause): RecoveredFinding[] => {
    const counted = (signature: Signature): boolean => {
      const summary = match.earlierMatches.get(signature.pattern.key);
      return summary !== undefined && signature.decisive && counts(signature, summary, then);
    };
    const hit = cause.kind === 'cause' ? cause.signatures.find(counted) : undefined;
    if (hit === undefined) return [];
    const { wallMs } = match.earlierMatches.get(hit.pattern.key)!.last.time;
    return [{ id: cause.id, title: cause.title, state: 'earlier-boot', lastAt: wallMs === null ? null : new Date(wallMs).toISOString(), by: null }];
  });
  return [...inThisBoot, ...before];
}

interface Standing {
  /** The last phase that ended well, and the one after it. */
  readonly reached: Phase | null;
  readonly current: Phase | null;
  /** When the latest milestone was seen. */
  readonly sinceMs: number | null;
}

function standingOf(pack: Pack, facts: Facts, phases: readonly PhaseState[], axis: Axis): Standing {
  const reached = phases.findLast((phase) => phase.entry.state === 'finished')?.phase ?? null;
  const order = phasesOf(pack, facts.get('os'));
  const current = reached === null ? phases[0]?.phase : order[order.indexOf(reached) + 1];
  const times = phases.map((phase) => axis.at(phase.lastRecord)).filter((at) => at !== null);
  return { reached, current: current ?? null, sinceMs: times.length === 0 ? null : Math.max(...times) };
}

function secondsBetween(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, Math.round((toMs - fromMs) / 1000));
}
