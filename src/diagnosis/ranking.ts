// Picks the root cause: removes every finding that another one explains, then orders what is left.
import type { Pack, ProbeResult } from '../types.ts';
import type { Axis } from './axis.ts';
import { answeredAs, lastedMs } from './confidence.ts';
import type { Finding } from './findings.ts';

export interface Ranked {
  /** Causes that nothing explains, the most likely root first. */
  readonly roots: readonly Finding[];
  /** Id of the finding that explains another, by the explained one's id. */
  readonly explainedBy: ReadonlyMap<string, string>;
}

/** Records this close together count as simultaneous: an echo may be logged a little before what it echoes. */
const SIMULTANEOUS_MS = 5_000;

export function rank(findings: readonly Finding[], pack: Pack, probes: readonly ProbeResult[], axis: Axis): Ranked {
  const byId = new Map(findings.map((finding) => [finding.cause.id, finding]));
  const explainedBy = new Map<string, string>();
  for (const finding of findings) {
    if (
      !finding.decisive &&
      finding.cause.kind === 'cause' &&
      findings.some((other) => other.decisive && other.cause.kind === 'cause' && explains(other, finding, pack, byId, axis))
    )
      continue;
    for (const id of reach(finding, byId, pack, axis)) if (!explainedBy.has(id)) explainedBy.set(id, finding.cause.id);
  }
  const roots = findings
    .filter((finding) => finding.cause.kind === 'cause' && !explainedBy.has(finding.cause.id))
    .sort((a, b) => compare(a, b, pack, probes, axis));
  return { roots, explainedBy };
}

function explains(a: Finding, b: Finding, pack: Pack, byId: ReadonlyMap<string, Finding>, axis: Axis): boolean {
  return reach(a, byId, pack, axis).has(b.cause.id);
}

/**
 * Ids of all findings that this one explains, by any chain of `explains`; links that are not present themselves carry on. A
 * finding without a decisive record explains only others of its kind and symptoms.
 */
function reach(from: Finding, byId: ReadonlyMap<string, Finding>, pack: Pack, axis: Axis): Set<string> {
  const reached = new Set<string>();
  const walk = (id: string): void => {
    for (const explanation of pack.causes.find((cause) => cause.id === id)?.explains ?? []) {
      if (reached.has(explanation.id)) continue;
      const target = byId.get(explanation.id);
      if (target !== undefined && !from.decisive && target.decisive && target.cause.kind === 'cause') continue;
      if (target !== undefined && (!inTime(from, target, explanation, axis) || outlives(target, from, axis))) continue;
      reached.add(explanation.id);
      walk(explanation.id);
    }
  };
  walk(from.cause.id);
  return reached;
}

function inTime(from: Finding, target: Finding, rule: { readonly withinMs: number | null; readonly onlyIfBefore: boolean }, axis: Axis): boolean {
  const [a, b] = [axis.at(from.first), axis.at(target.first)];
  if (a === null || b === null) return true;
  if (rule.onlyIfBefore && a > b + SIMULTANEOUS_MS) return false;
  return rule.withinMs === null || Math.abs(b - a) <= rule.withinMs;
}

/** A short spell that was over while the other went on explains nothing: a few time-outs do not make a lasting fault. */
export function outlives(target: Finding, from: Finding, axis: Axis): boolean {
  const { severity, persistsMs } = from.cause;
  const [ended, went] = [axis.at(from.last), axis.at(target.last)];
  if (severity !== 'transient' || target.cause.kind === 'symptom' || ended === null || went === null) return false;
  return lastedMs(from, axis) < persistsMs && went - ended >= persistsMs;
}

/** Decisive evidence, then what a probe proves, then what has lasted long enough, then the earliest phase, then independent streams, then the earliest record. */
function compare(a: Finding, b: Finding, pack: Pack, probes: readonly ProbeResult[], axis: Axis): number {
  const proven = (finding: Finding): number => Number(answeredAs(finding, probes, 'proves', 'confirms'));
  const order = (finding: Finding): number => pack.phases.findIndex((phase) => phase.id === finding.cause.phase);
  const healthy = (finding: Finding): number => Number(finding.cause.severity === 'degraded');
  const unsettled = (finding: Finding): number =>
    Number(finding.cause.severity === 'transient' && axis.at(finding.last) !== null && lastedMs(finding, axis) < finding.cause.persistsMs);
  const streams = (finding: Finding): number => new Set(finding.hits.flatMap((hit) => hit.summary.streams)).size;
  return (
    Number(b.decisive) - Number(a.decisive) ||
    proven(b) - proven(a) ||
    healthy(a) - healthy(b) ||
    unsettled(a) - unsettled(b) ||
    order(a) - order(b) ||
    streams(b) - streams(a) ||
    (axis.at(a.first) ?? 0) - (axis.at(b.first) ?? 0)
  );
}
