// Picks the root cause: removes every finding that another one explains, then orders what is left.
import type { Pack } from '../types.ts';
import { hasPersisted, isSaid } from './confidence.ts';
import type { Finding } from './finding.ts';

export interface Ranked {
  /** Causes that nothing explains, the most likely root first. */
  readonly roots: readonly Finding[];
  /** Id of the finding that explains another, by the explained one's id. */
  readonly explainedBy: ReadonlyMap<string, string>;
}

/** Records this close together count as simultaneous: an echo may be logged a little before what it echoes. */
const SIMULTANEOUS_MS = 5_000;

export function rank(findings: readonly Finding[], pack: Pack): Ranked {
  const byId = new Map(findings.map((finding) => [finding.cause.id, finding]));
  const explainedBy = new Map<string, string>();
  for (const finding of findings) {
    if (
      !finding.decisive &&
      finding.cause.kind === 'cause' &&
      findings.some((other) => other.decisive && other.cause.kind === 'cause' && explains(other, finding, pack, byId))
    )
      continue;
    for (const id of reach(finding, byId, pack)) if (!explainedBy.has(id)) explainedBy.set(id, finding.cause.id);
  }
  const roots = findings
    .filter((finding) => finding.cause.kind === 'cause' && !explainedBy.has(finding.cause.id))
    .sort((a, b) => compare(a, b, pack));
  return { roots, explainedBy };
}

function explains(a: Finding, b: Finding, pack: Pack, byId: ReadonlyMap<string, Finding>): boolean {
  return reach(a, byId, pack).has(b.cause.id);
}

/**
 * Ids of all findings that this one explains, by any chain of `explains`; links that are not present themselves carry on. A
 * finding without a decisive record explains only others of its kind and symptoms, and one that a probe contradicts none that
 * a probe speaks for.
 */
function reach(from: Finding, byId: ReadonlyMap<string, Finding>, pack: Pack): Set<string> {
  const reached = new Set<string>();
  const walk = (id: string): void => {
    for (const explanation of pack.causes.find((cause) => cause.id === id)?.explains ?? []) {
      if (reached.has(explanation.id)) continue;
      const target = byId.get(explanation.id);
      if (target !== undefined && !from.decisive && target.decisive && target.cause.kind === 'cause') continue;
      if (
        target !== undefined &&
        (!inTime(from, target, explanation) || outlives(target, from) || knowsBetter(target, from))
      )
        continue;
      reached.add(explanation.id);
      walk(explanation.id);
    }
  };
  walk(from.cause.id);
  return reached;
}

/** Since when it has been so, a probe cannot tell: what only a probe saw is always in time. */
function inTime(
  from: Finding,
  target: Finding,
  rule: { readonly withinMs: number | null; readonly onlyIfBefore: boolean },
): boolean {
  const [a, b] = [from.firstMs, target.firstMs];
  if (a === null || b === null) return true;
  if (rule.onlyIfBefore && a > b + SIMULTANEOUS_MS) return false;
  return rule.withinMs === null || Math.abs(b - a) <= rule.withinMs;
}

/** A short spell that was over while the other went on explains nothing: a few time-outs do not make a lasting fault. */
export function outlives(target: Finding, from: Finding): boolean {
  const { severity, persistsMs } = from.cause;
  const [ended, went] = [from.lastMs, target.lastMs];
  if (severity !== 'transient' || target.cause.kind === 'symptom' || ended === null || went === null) return false;
  return from.lastedMs < persistsMs && went - ended >= persistsMs;
}

function knowsBetter(target: Finding, from: Finding): boolean {
  return (
    target.cause.kind === 'cause' &&
    isSaid(from, 'refutes') &&
    isSaid(target, 'proves', 'confirms') &&
    !isSaid(target, 'refutes')
  );
}

/**
 * Decisive evidence, then what no probe contradicts, then what lines and probes agree on, then what has lasted long enough, then
 * the earliest phase, then independent streams, then the earliest record.
 */
function compare(a: Finding, b: Finding, pack: Pack): number {
  const refuted = (finding: Finding): number => Number(isSaid(finding, 'refutes'));
  const agreed = (finding: Finding): number => Number(finding.last !== null && isSaid(finding, 'proves', 'confirms'));
  const order = (finding: Finding): number => pack.phases.findIndex((phase) => phase.id === finding.cause.phase);
  const healthy = (finding: Finding): number => Number(finding.cause.severity === 'degraded');
  const unsettled = (finding: Finding): number => Number(finding.lastMs !== null && !hasPersisted(finding));
  const streams = (finding: Finding): number => new Set(finding.hits.flatMap((hit) => hit.summary.streams)).size;
  return (
    Number(b.decisive) - Number(a.decisive) ||
    refuted(a) - refuted(b) ||
    agreed(b) - agreed(a) ||
    healthy(a) - healthy(b) ||
    unsettled(a) - unsettled(b) ||
    order(a) - order(b) ||
    streams(b) - streams(a) ||
    (a.firstMs ?? 0) - (b.firstMs ?? 0)
  );
}
