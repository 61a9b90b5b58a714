// How sure a finding is: high, medium or low.
import type { Confidence, ProbeResult, ProbeUse } from '../types.ts';
import type { Axis } from './axis.ts';
import type { Finding } from './findings.ts';

/** How long the finding has lasted, in ms; 0 if unknown. */
export function lastedMs(finding: Finding, axis: Axis): number {
  const [first, last] = [axis.at(finding.first), axis.at(finding.last)];
  return first === null || last === null ? 0 : last - first;
}

/** Did a probe of the cause's file give the answer that it names for one of these uses? */
export function answeredAs({ cause }: Finding, probes: readonly ProbeResult[], ...uses: readonly ProbeUse['as'][]): boolean {
  return cause.probes.some((use) => uses.includes(use.as) && probes.some((probe) => probe.probe === use.probe && probe.code === use.code));
}

export function confidenceOf(finding: Finding, probes: readonly ProbeResult[], axis: Axis): Confidence {
  const answered = (as: ProbeUse['as']): boolean => answeredAs(finding, probes, as);
  const alone = ofLogs(finding, axis);
  if (answered('proves')) return 'high';
  if (answered('refutes')) return alone === 'high' ? 'medium' : 'low';
  return answered('confirms') ? raised(alone) : alone;
}

function ofLogs(finding: Finding, axis: Axis): Confidence {
  const decisive = finding.hits.filter((hit) => hit.signature.decisive);
  const solid = decisive.filter((hit) => !hit.signature.derivedOnly && !(hit.summary.first.forgeable && hit.summary.last.forgeable));
  if (finding.stall !== null) return (finding.stall.process !== null && finding.stall.measured) || solid.length > 0 ? 'high' : 'medium';
  if (decisive.length === 0) return finding.hits.length > 1 ? 'medium' : 'low';
  if (solid.length === 0) return 'medium';
  const persisted = finding.cause.severity !== 'transient' || lastedMs(finding, axis) >= finding.cause.persistsMs;
  return persisted ? 'high' : 'medium';
}

function raised(confidence: Confidence): Confidence {
  return confidence === 'low' ? 'medium' : 'high';
}
