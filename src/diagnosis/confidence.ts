// How sure a finding is: high, medium or low.
import type { Bearing, Confidence } from '../types.ts';
import type { Finding } from './finding.ts';

const ORDER = ['low', 'medium', 'high'] as const satisfies readonly Confidence[];

/** Line and probe that agree are surer than either; a probe that contradicts makes both doubtful. */
export function confidenceOf(finding: Finding): Confidence {
  if (finding.possible !== null) return finding.possible;
  const lines = ofLines(finding);
  const probe = finding.proven ? ofProof(finding) : null;
  const alone = lines === null || (probe !== null && isSurer(probe, lines)) ? probe! : lines;
  const agrees = lines !== null && isSaid(finding, 'proves', 'confirms');
  return moved(alone, Number(agrees) - Number(isSaid(finding, 'refutes')));
}

/** Does a probe answer so about the finding? */
export function isSaid({ answers }: Finding, ...bearings: readonly Bearing[]): boolean {
  return answers.some(({ as }) => bearings.includes(as));
}

function ofLines(finding: Finding): Confidence | null {
  const { hits, stall } = finding;
  if (hits.length === 0 && stall === null) return null;
  const told = hits.filter((hit) => hit.most !== 'low');
  if (told.length === 0 && stall === null) return 'low';
  const decisive = told.filter((hit) => hit.signature.decisive);
  const solid = decisive.filter((hit) => hit.most === 'high');
  if (stall !== null) return (stall.process !== null && stall.measured) || solid.length > 0 ? 'high' : 'medium';
  if (decisive.length === 0) return told.length > 1 ? 'medium' : 'low';
  if (solid.length === 0) return 'medium';
  return hasPersisted(finding) ? 'high' : 'medium';
}

/** A probe sees a moment: what may pass by itself is sure only where the boot has got nowhere for as long. */
function ofProof(finding: Finding): Confidence {
  const isBrief = finding.answers.every(
    ({ as, result }) => as !== 'proves' || result.facts['brief'] === true || result.code === 'time-limit',
  );
  return hasPersisted(finding) && !isBrief ? 'high' : 'medium';
}

export function hasPersisted({ cause, lastedMs }: Finding): boolean {
  return cause.severity !== 'transient' || lastedMs >= cause.persistsMs;
}

function isSurer(a: Confidence, b: Confidence): boolean {
  return ORDER.indexOf(a) > ORDER.indexOf(b);
}

function moved(confidence: Confidence, steps: number): Confidence {
  return ORDER[Math.max(0, Math.min(ORDER.length - 1, ORDER.indexOf(confidence) + steps))]!;
}
