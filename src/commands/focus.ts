// Tells render which part of an evidence line a signature matched.
import { unwrapInner, unwrapOuter } from '../matching/formats/index.ts';
import { newLineState } from '../matching/line-state.ts';
import { patternsOf } from '../matching/matcher.ts';
import { LINE_END, type Span } from '../render/quote-line.ts';
import type { Focus } from '../render/sections.ts';
import type { Pack, Pattern } from '../types.ts';

export function focusOf(pack: Pack): Focus {
  return (signature, line) => {
    // A line of the process list carries the id of the stall whose process it shows.
    const pattern = patternsOf(pack).find(({ key }) => key === signature || key === `${signature}#process`);
    return pattern === undefined ? null : (matchIn(pattern, line) ?? literalIn(pattern, line));
  };
}

/** The message is taken out of its log formats as when it was matched, and what matches it is looked up in the line as it stands. */
function matchIn(pattern: Pattern, line: string): Span | null {
  // Nobody has measured an operator's expressions: they run under a guard, which has done its work by now.
  if (pattern.guarded) return null;
  const state = newLineState(line);
  unwrapOuter(state, { referenceMs: 0 });
  unwrapInner(state, { referenceMs: 0 });
  const found = new RegExp(pattern.regex, pattern.ignoreCase ? 'si' : 's').exec(state.text)?.[0].replace(LINE_END, '');
  if (found === undefined || found === '') return null;
  for (const words of [found, JSON.stringify(found).slice(1, -1)]) {
    const start = line.indexOf(words);
    if (start >= 0) return { start, end: start + words.length };
  }
  return null;
}

function literalIn({ literals, ignoreCase }: Pattern, line: string): Span | null {
  const same = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const text = same(line);
  const found = literals
    .map((literal) => ({ start: text.indexOf(same(literal)), length: literal.length }))
    .filter(({ start }) => start >= 0);
  if (found.length === 0) return null;
  const { start, length } = found.reduce((a, b) => (b.start < a.start ? b : a));
  return { start, end: start + length };
}
