// Judges the samples of one expression: what must match does with its captures, what must not does not, and every
// alternative of the expression is needed by some sample.
import { isDeepStrictEqual } from 'node:util';
import { alternatives, parseRegex } from '../../src/signatures/regex-syntax.ts';
import type { MatchSummary, Pack } from '../../src/types.ts';
import { complaint, shown } from './complaint.ts';
import { packOf, readText } from './read-lines.ts';
import type { Subject } from './subjects.ts';

/** Stream of the file that a sample is read from; null where the line names its own. */
export function streamOf(subject: Subject, sample: { readonly stream?: string | undefined }): string | null {
  return sample.stream ?? subject.pattern.streams?.[0] ?? null;
}

const matched = new WeakMap<object, MatchSummary | undefined>();

/** What the sample's own expression makes of it; undefined if it does not match. Asked by every check, answered once. */
export function matchSample(pack: Pack, subject: Subject, index: number): MatchSummary | undefined {
  const sample = subject.samples.match[index]!;
  if (!matched.has(sample)) {
    const { matches } = readText(packOf(pack, subject.pattern), sample.line, streamOf(subject, sample));
    matched.set(sample, matches.get(subject.pattern.key));
  }
  return matched.get(sample);
}

export function checkMatchSamples(pack: Pack, subject: Subject): string[] {
  return subject.samples.match.flatMap((sample, m) => {
    const path = ['samples', 'match', m];
    const summary = matchSample(pack, subject, m);
    if (summary === undefined) return [complaint(subject, path, `the sample does not match: ${explain(pack, subject, m)}`)];
    return Object.entries(sample.captures ?? {})
      .filter(([name, value]) => summary.captures[name] !== value)
      .map(([name, value]) => complaint(subject, path, `captures ${name}=${show(summary.captures[name])}, the sample says ${show(value)}`));
  });
}

function show(value: string | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** Why a sample does not match: its literal, its stream, or its message. */
function explain(pack: Pack, subject: Subject, index: number): string {
  const { pattern, samples } = subject;
  const sample = samples.match[index]!;
  const holds = pattern.literals.some((literal) =>
    pattern.ignoreCase ? sample.line.toLowerCase().includes(literal.toLowerCase()) : sample.line.includes(literal),
  );
  if (!holds) return `none of its literals stands in the raw line: ${JSON.stringify(pattern.literals)}`;
  const free = { ...pattern, regex: '^[^]*$', ignoreCase: false, not: [], levels: null, unit: null, streams: null };
  const seen = readText(packOf(pack, free), sample.line, streamOf(subject, sample)).matches.get(pattern.key);
  if (seen === undefined) return 'the line is dropped as a stack frame or as output of this tool';
  const { message, stream, level, unit } = seen.first;
  return `stream ${stream}, level ${level ?? 'unknown'}, unit ${unit ?? 'unknown'}, message ${JSON.stringify(shown(message))}`;
}

export function checkRejectSamples(pack: Pack, subject: Subject): string[] {
  return subject.samples.reject.flatMap((sample, r) => {
    const result = readText(packOf(pack, subject.pattern), sample.line, streamOf(subject, sample));
    return result.matches.has(subject.pattern.key) ? [complaint(subject, ['samples', 'reject', r], `matches, though "${sample.because}"`)] : [];
  });
}

const NEVER = '[^\\s\\S]';

/** An alternative without which every sample still matches, with the same captures, is untested knowledge. */
export function checkAlternatives(pack: Pack, subject: Subject): string[] {
  const { regex, ignoreCase } = subject.pattern;
  const flags = ignoreCase ? 'si' : 's';
  const whole = new RegExp(regex, flags);
  const messages = subject.samples.match.flatMap((_, m) => matchSample(pack, subject, m)?.first.message ?? []);
  return alternatives(parseRegex(regex)).flatMap(({ option }) => {
    const without = new RegExp(regex.slice(0, option.start) + NEVER + regex.slice(option.end), flags);
    if (messages.some((message) => !sameMatch(whole.exec(message), without.exec(message)))) return [];
    return [complaint(subject, ['regex'], `no sample needs the alternative "${regex.slice(option.start, option.end)}"`)];
  });
}

function sameMatch(a: RegExpExecArray | null, b: RegExpExecArray | null): boolean {
  return a?.[0] === b?.[0] && isDeepStrictEqual(a?.groups, b?.groups);
}
