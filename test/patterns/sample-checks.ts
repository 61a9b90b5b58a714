// What the samples of one expression give, and whether each of its alternatives is needed by one. Whether they match at all
// is judged by `patterns check`.
import { isDeepStrictEqual } from 'node:util';
import { tryLine } from '../../src/commands/patterns/check-samples.ts';
import { alternatives, parseRegex } from '../../src/signatures/regex-syntax.ts';
import type { MatchSummary, Pack } from '../../src/types.ts';
import { complaint } from './complaint.ts';
import type { Subject } from './subjects.ts';

/** Stream of the file that a sample is read from; null where the line names its own. */
export function streamOf(subject: Subject, sample: { readonly stream?: string | undefined }): string | null {
  return sample.stream ?? subject.pattern.streams?.[0] ?? null;
}

const matched = new WeakMap<object, MatchSummary | undefined>();

/** What the sample's own expression makes of it; undefined if it does not match. Asked by every check, answered once. */
export function matchSample(pack: Pack, subject: Subject, index: number): MatchSummary | undefined {
  const sample = subject.samples.match[index]!;
  if (!matched.has(sample)) matched.set(sample, tryLine(pack, subject.pattern, sample));
  return matched.get(sample);
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
    return [
      complaint(subject, ['regex'], `no sample needs the alternative "${regex.slice(option.start, option.end)}"`),
    ];
  });
}

function sameMatch(a: RegExpExecArray | null, b: RegExpExecArray | null): boolean {
  return a?.[0] === b?.[0] && isDeepStrictEqual(a?.groups, b?.groups);
}
