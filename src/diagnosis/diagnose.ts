// From matches, milestones and probe results to the one verdict. Pure: now is handed in.
import { createHash } from 'node:crypto';
import { isoInstant } from '../lib/instant.ts';
import { withoutContext } from '../lib/without-context.ts';
import type {
  Evidence,
  FindingSummary,
  MatchResult,
  NotChecked,
  Pack,
  ProbeResult,
  RecoveredFinding,
  RemedyStep,
  Signature,
  Status,
  Verdict,
  VerdictCause,
  VerdictProbe,
} from '../types.ts';
import { type Axis, createAxis } from './axis.ts';
import { confidenceOf, isSaid } from './confidence.ts';
import { evidenceFor, lastErrors } from './evidence.ts';
import { applies, type Facts, gatherFacts, nodeFacts } from './facts.ts';
import { isPlaceholder } from '../lib/fact-forms.ts';
import type { Finding } from './finding.ts';
import { findAll, findPossible, findSuspects } from './findings.ts';
import { fillCommand, fillProse } from './placeholders.ts';
import { isExcerpt, isTooShort } from './possibility.ts';
import { outlives, rank, type Ranked } from './ranking.ts';
import { type Readiness, readinessOf } from './readiness.ts';
import { recoveredBy } from './recovery.ts';
import { counts, type Known } from './requirements.ts';
import { type BootProgress, bootProgress } from './boot-progress.ts';
import { type PhaseState, timeline } from './timeline.ts';
import { trusted } from './trust.ts';

export interface DiagnosisContext {
  /** Unix time in ms on a live node; null in a capture, where the last record's time counts. */
  readonly nowMs: number | null;
  readonly uptimeSeconds: number | null;
  /** True where most logs could not be read: where nothing is found, nothing is known. */
  readonly lacksRights?: boolean;
  readonly version: string;
  readonly sequence: number;
  readonly final: boolean;
}

export interface Assessment {
  readonly verdict: Verdict;
  /** True for a decisive cause that has lasted as long as its file demands: a live run says it at once. */
  readonly isUrgent: boolean;
  /** How long lines have named the cause again and again while the boot came to nothing new, in ms; 0 where they do not. */
  readonly repeatsMs: number;
  /** True where no line names the cause, which rests on what the node answered then, and where it may pass: what has lasted can wait for answers. */
  readonly needsAnswers: boolean;
  /** What the logs alone say; the API server may know better. */
  readonly isReadyByLogs: boolean;
  /** All that is known of the node, by fact name. */
  readonly facts: Facts;
  /** False where the node is Ready by the word of one record alone, which the API server did not confirm. */
  readonly isReadyForSure: boolean;
}

export function diagnose(
  pack: Pack,
  match: MatchResult,
  probes: readonly ProbeResult[],
  context: DiagnosisContext,
): Verdict {
  return assess(pack, match, probes, context).verdict;
}

export function assess(
  pack: Pack,
  found: MatchResult,
  probes: readonly ProbeResult[],
  context: DiagnosisContext,
): Assessment {
  const match = trusted(pack, found, context.nowMs !== null);
  const axis = createAxis(match, context.nowMs);
  const known: Known = { match, probes, axis };
  const facts = gatherFacts(pack, match, probes);
  const phases = timeline(pack, facts, known);
  const readiness = readinessOf(pack, known);
  const { ready } = readiness;
  const progress = bootProgress(pack, facts, phases, ready, known, context.uptimeSeconds);
  const boot = { ready, ...progress };

  const findings = findAll(pack, facts, known, boot);
  const ended = new Map(findings.map((finding) => [finding.cause.id, recoveredBy(finding, pack, readiness, known)]));
  const active = findings.filter((finding) => ended.get(finding.cause.id) === null && !isPassing(finding, ready, axis));
  const settled = rank(active, pack);
  const open =
    settled.roots.length > 0 || ready
      ? []
      : statusOf(null, ready, phases, progress, axis) === 'unknown'
        ? openQuestions(pack, facts, known, readiness, active)
        : findSuspects(pack, facts, known, boot);
  const ranked = open.length === 0 ? settled : rank([...active, ...open], pack);
  const root = ranked.roots[0] ?? null;
  const status =
    root === null && context.lacksRights === true ? 'unknown' : statusOf(root, ready, phases, progress, axis);
  const summarize = (finding: Finding): FindingSummary => ({
    id: finding.cause.id,
    title: finding.cause.title,
    confidence: confidenceOf(finding),
    firstAt: axis.format(finding.firstMs),
    lastAt: axis.format(finding.lastMs),
    count: finding.count,
    explainedBy: ranked.explainedBy.get(finding.cause.id) ?? null,
  });

  const body = {
    schemaVersion: 1 as const,
    status,
    final: context.final,
    cause: root === null ? null : wordCause(root, facts),
    otherCauses: others(root, active, ranked).map(summarize),
    symptoms: active.filter((finding) => finding.cause.kind === 'symptom').map(summarize),
    recovered: recovered(pack, match, findings, ended, axis),
    phase: {
      reached: progress.reached?.id ?? null,
      current: progress.current?.id ?? null,
      since: axis.format(progress.sinceMs),
    },
    timeline: phases.map(({ entry }) =>
      status === 'ready' && entry.state === 'stalled' ? { ...entry, state: 'running' as const } : entry,
    ),
    evidence:
      root !== null ? evidenceFor(root, axis) : status === 'ready' ? ([] as Evidence[]) : lastErrors(match, axis),
    probes: probes.map((probe): VerdictProbe => ({
      ...probe,
      bearing: root?.answers.find(({ result }) => result === probe)?.as ?? null,
    })),
    notChecked: [...match.notChecked, ...ownOutput(match)],
    node: nodeFacts(facts),
    tool: {
      version: context.version,
      packDigest: pack.digest,
      replaced: pack.replaced,
      added: pack.added,
      disabled: pack.disabled,
    },
    bootId: match.bootId,
    sequence: context.sequence,
    at: axis.format(axis.endMs),
    uptimeSeconds: context.uptimeSeconds ?? secondsBetween(axis.bootMs, axis.endMs),
  };
  return {
    verdict: { ...body, id: verdictId(body) },
    isUrgent: root !== null && isUrgent(root, axis),
    repeatsMs: root === null ? 0 : repeatsMs(root, progress.idleMs, axis),
    needsAnswers: root !== null && (root.hits.length === 0 || root.cause.severity === 'transient'),
    isReadyByLogs: status === 'ready' || (probes.length > 0 && readyByLogs(pack, known, root)),
    facts,
    isReadyForSure: ready && (readiness.askedBy !== null || readiness.witnesses >= READY_WITNESSES),
  };
}

/** The kubelet's word and no failure in its way that a line tells of. */
function readyByLogs(pack: Pack, known: Known, root: Finding | null): boolean {
  const stands = root !== null && root.hits.length > 0 && root.cause.severity !== 'degraded';
  return !stands && readinessOf(pack, { ...known, probes: [] }).ready;
}

/** What an excerpt leaves open and nothing in it ends. A line that is a symptom's is that, until it comes more often. */
function openQuestions(
  pack: Pack,
  facts: Facts,
  known: Known,
  readiness: Readiness,
  symptoms: readonly Finding[],
): Finding[] {
  if (!isExcerpt(pack, known)) return [];
  const isSymptom = ({ last }: Finding): boolean =>
    last !== null && symptoms.some((symptom) => symptom.last?.origin.offset === last.origin.offset);
  return findPossible(pack, facts, known).filter((finding) => {
    const { severity, persistsMs } = finding.cause;
    return (
      !isSymptom(finding) &&
      recoveredBy(finding, pack, readiness, known) === null &&
      (severity !== 'degraded' || isTooShort(known.match, persistsMs))
    );
  });
}

/** A transient cause must have gone on for its time, a fatal one need only be that old. What a probe contradicts can wait. */
function isUrgent(finding: Finding, axis: Axis): boolean {
  const { cause, decisive, firstMs, lastedMs } = finding;
  const ageMs = firstMs === null || axis.endMs === null ? 0 : axis.endMs - firstMs;
  return (
    decisive &&
    !isSaid(finding, 'refutes') &&
    cause.severity !== 'degraded' &&
    (cause.severity === 'fatal' ? ageMs : lastedMs) >= cause.persistsMs
  );
}

const REPEATS_AT_LEAST = 2;
/** What is tried again with growing pauses comes at least this often in the first minute. */
const REPEATS_EVERY_MS = 45_000;

function repeatsMs(finding: Finding, idleMs: number | null, { endMs }: Axis): number {
  const { cause, hits, count, firstMs, lastMs } = finding;
  const isTold = cause.severity !== 'degraded' && confidenceOf(finding) !== 'low' && !isSaid(finding, 'refutes');
  if (!isTold || hits.length === 0 || count < REPEATS_AT_LEAST) return 0;
  if (firstMs === null || lastMs === null || endMs === null || endMs - lastMs > REPEATS_EVERY_MS) return 0;
  return Math.min(endMs - firstMs, idleMs ?? 0);
}

/** The same verdict said under another number or name, or as the last word: who knows verdicts by their id knows it as another one. */
export function restate(verdict: Verdict, change: Partial<Pick<Verdict, 'final' | 'sequence' | 'node'>>): Verdict {
  const said = { ...verdict, ...change };
  return { ...said, id: verdictId(said) };
}

/** Hash of instance, boot, sequence and content: a repeated delivery carries the same id. */
function verdictId(body: Omit<Verdict, 'id'>): string {
  const { node, bootId, sequence, status, final, cause, phase } = body;
  const evidence = withoutContext(body.evidence);
  return createHash('sha256')
    .update(JSON.stringify([node.instanceId, bootId, sequence, status, final, cause, phase, evidence]))
    .digest('hex')
    .slice(0, 32);
}

/** One record could be a quotation. */
const READY_WITNESSES = 2;
const READY_NODE_PATIENCE_MS = 60_000;
/** The CNI waits up to two minutes before it asks EC2 again, the kubelet up to five before it pulls again. */
const READY_NODE_SILENCE_MS = 300_000;

/** What leaves a node Ready counts once it has lasted; on a Ready node everything must be decisive and, unless fatal, last and go on. */
function isPassing(finding: Finding, ready: boolean, axis: Axis): boolean {
  const { severity, persistsMs } = finding.cause;
  const { lastedMs } = finding;
  if (severity === 'degraded' && lastedMs < persistsMs) return true;
  if (!ready) return false;
  return (
    !finding.decisive ||
    (severity !== 'fatal' && (lastedMs < Math.max(persistsMs, READY_NODE_PATIENCE_MS) || isOver(finding, axis)))
  );
}

/** Has the input gone on without it for as long as it lasted? */
function isOver({ cause, last, lastMs, lastedMs }: Finding, axis: Axis): boolean {
  const end = last === null ? null : axis.endOf(last);
  return lastMs !== null && end !== null && end - lastMs >= Math.max(lastedMs, cause.persistsMs, READY_NODE_SILENCE_MS);
}

/** It may hang, or be slow: then the boot is what it is without it. */
function isSuspected({ possible, stall }: Finding): boolean {
  return possible !== null && stall !== null;
}

function statusOf(
  root: Finding | null,
  ready: boolean,
  phases: readonly PhaseState[],
  { current, sinceMs, stalled }: BootProgress,
  axis: Axis,
): Status {
  if (root !== null && !isSuspected(root)) {
    if (ready && root.cause.severity === 'degraded') return 'ready';
    return root.hits.length === 0 && !root.proven ? 'stalled' : 'failed';
  }
  if (ready) return 'ready';
  if (current === null || sinceMs === null || axis.endMs === null) return 'unknown';
  if (phases.some((phase) => phase.phase === current && phase.entry.state === 'failed')) return 'unknown';
  return stalled ? 'stalled' : 'bootstrapping';
}

/** What a line captured says more of the fault than the answer of a probe, and both more than what is known of the node. */
function wordCause(root: Finding, facts: Facts): VerdictCause {
  const { cause } = root;
  const values = new Map<string, string>(facts);
  const speaking = root.answers.filter(({ as }) => as === 'proves' || as === 'confirms');
  for (const { result } of speaking.toReversed())
    for (const [name, value] of Object.entries(result.facts)) values.set(name, String(value));
  const captured = root.hits.toReversed().flatMap((hit) => Object.entries(hit.summary.lastCaptures));
  for (const [name, value] of captured) if (name !== 'cluster' || !isPlaceholder(value)) values.set(name, value);
  return {
    id: cause.id,
    title: cause.title,
    confidence: confidenceOf(root),
    possible: root.possible !== null,
    repair: cause.repair ?? 'fix-first',
    summary: fillProse(cause.summary, values),
    check: cause.check.filter(({ when }) => applies(when, facts)).map(filled),
    remedy: cause.remedy.filter(({ when }) => applies(when, facts)).map(filled),
    references: cause.references,
  };

  function filled({ text, command, where }: RemedyStep): VerdictCause['remedy'][number] {
    return { text: fillProse(text, values), command: command === null ? null : fillCommand(command, values), where };
  }
}

/** A silence that no list of processes explains, and a short spell that is over, are not worth a word beside the root. */
function others(root: Finding | null, active: readonly Finding[], ranked: Ranked): Finding[] {
  const isGuess = (finding: Finding): boolean =>
    finding.hits.length === 0 && !finding.decisive && root?.decisive === true;
  const causes = active.filter(
    (finding) =>
      finding.cause.kind === 'cause' &&
      finding !== root &&
      !isGuess(finding) &&
      !(root !== null && outlives(root, finding)),
  );
  return [
    ...ranked.roots.filter((finding) => causes.includes(finding)),
    ...causes.filter((finding) => !ranked.roots.includes(finding)),
  ];
}

function recovered(
  pack: Pack,
  match: MatchResult,
  findings: readonly Finding[],
  ended: ReadonlyMap<string, string | null>,
  axis: Axis,
): RecoveredFinding[] {
  const inThisBoot = findings
    .filter((finding) => finding.cause.kind === 'cause' && ended.get(finding.cause.id) !== null)
    .map((finding): RecoveredFinding => ({
      id: finding.cause.id,
      title: finding.cause.title,
      state: 'recovered',
      lastAt: axis.format(finding.lastMs),
      by: ended.get(finding.cause.id)!,
    }));
  const then: Known = { match: { ...match, matches: match.earlierMatches }, probes: [], axis };
  const before = (match.earlierMatches.size === 0 ? [] : pack.causes).flatMap((cause): RecoveredFinding[] => {
    const counted = (signature: Signature): boolean => {
      const summary = match.earlierMatches.get(signature.pattern.key);
      return summary !== undefined && signature.decisive && counts(signature, summary, then);
    };
    const hit = cause.kind === 'cause' ? cause.signatures.find(counted) : undefined;
    if (hit === undefined) return [];
    const { wallMs } = match.earlierMatches.get(hit.pattern.key)!.last.time;
    return [{ id: cause.id, title: cause.title, state: 'earlier-boot', lastAt: isoInstant(wallMs), by: null }];
  });
  return [...inThisBoot, ...before];
}

/** What this tool wrote itself is no evidence; where it stands among the logs, that is said. */
function ownOutput({ sources }: MatchResult): NotChecked[] {
  return sources
    .filter(({ earlierVerdicts }) => earlierVerdicts > 0)
    .map(({ source, earlierVerdicts }) => ({ what: source, code: 'own-output', detail: String(earlierVerdicts) }));
}

function secondsBetween(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, Math.round((toMs - fromMs) / 1000));
}
