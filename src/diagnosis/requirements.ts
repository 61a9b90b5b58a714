// Decides whether a signature's matches count: how often, and together with what.
import type { LogRecord, MatchResult, MatchSummary, ProbeResult, Requirement, Signature } from '../types.ts';
import { type Axis, spanMs } from './axis.ts';

export interface Known {
  readonly match: MatchResult;
  readonly probes: readonly ProbeResult[];
  readonly axis: Axis;
}

export function counts(signature: Signature, summary: MatchSummary, known: Known): boolean {
  return (
    oftenEnough(signature, summary, known.axis) &&
    signature.requires.every((requirement) => holds(requirement, summary, known))
  );
}

function oftenEnough({ occurrences }: Signature, summary: MatchSummary, axis: Axis): boolean {
  if (occurrences === null) return true;
  if (summary.count < occurrences.atLeast) return false;
  if (occurrences.lastingMs !== null && spanMs(axis, summary) < occurrences.lastingMs) return false;
  if (occurrences.withinMs === null) return true;
  const times = summary.times;
  const latest =
    times.length >= occurrences.atLeast ? times.at(-1)! - times[times.length - occurrences.atLeast]! : null;
  if (latest !== null && latest <= occurrences.withinMs) return true;
  const [first, last] = [axis.at(summary.first), axis.at(summary.last)];
  if (first === null || last === null) return true;
  return ((last - first) / (summary.count - 1)) * (occurrences.atLeast - 1) <= occurrences.withinMs;
}

/** Is it there at all, or absent as it must be? A probe that names no codes is asked for trouble: a failure or a time-out. */
export function isMet({ kind, target, codes, absent }: Requirement, { match, probes }: Known): boolean {
  if (kind !== 'probe') return match.matches.has(target) !== absent;
  const answered = ({ code, outcome }: ProbeResult): boolean =>
    codes?.includes(code) ?? (outcome === 'fail' || outcome === 'timeout');
  return probes.some((result) => result.probe === target && answered(result)) !== absent;
}

function holds(requirement: Requirement, summary: MatchSummary, known: Known): boolean {
  if (requirement.kind === 'probe') return isMet(requirement, known);
  const { match, axis } = known;
  const other = match.matches.get(requirement.target);
  const found =
    other !== undefined &&
    kept(summary).some((mine) => kept(other).some((theirs) => goTogether(requirement, mine, theirs, axis)));
  return found !== requirement.absent;
}

/** The records of a summary that stand for all of them. */
function kept(summary: MatchSummary): LogRecord[] {
  return [...new Set([summary.first, ...summary.firstRecords, ...summary.lastRecords, summary.last])];
}

function goTogether(requirement: Requirement, mine: LogRecord, theirs: LogRecord, axis: Axis): boolean {
  if (isSameRecord(mine, theirs)) return false;
  if (requirement.sameStream && mine.stream !== theirs.stream) return false;
  if (requirement.sameProcess && mine.process !== theirs.process) return false;
  if (requirement.order === 'before' && axis.isBefore(mine, theirs) === true) return false;
  if (requirement.order === 'after' && axis.isBefore(theirs, mine) === true) return false;
  if (requirement.withinMs === null) return true;
  const [a, b] = [axis.at(mine), axis.at(theirs)];
  return a === null || b === null || Math.abs(a - b) <= requirement.withinMs;
}

/** One record is one witness, also where two files hold it. */
function isSameRecord(a: LogRecord, b: LogRecord): boolean {
  if (a.origin.source === b.origin.source) return a.origin.offset !== null && a.origin.offset === b.origin.offset;
  return (
    a.time.wallMs !== null && a.time.wallMs === b.time.wallMs && a.process === b.process && a.message === b.message
  );
}
