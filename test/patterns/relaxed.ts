// Turns wide bounded repeats of an expression into unbounded ones. What a backtracking matcher can try on the bounded form
// is a part of what it can try on the unbounded one, so a bound on the work of the latter holds for the former; and the
// unbounded form has a small automaton, about which proofs are quick.
import { parseRegex, type RegexNode } from '../../src/signatures/regex-syntax.ts';

/** Narrower repeats stay: their automaton is small. */
const WIDE = 8;

export function relaxed(regex: string): string {
  return wideRepeats(parseRegex(regex))
    .toSorted((a, b) => b.end - a.end)
    .reduce((text, { start, end, min }) => {
      const quantifier = /\{\d+,\d+\}(?<lazy>\??)$/.exec(regex.slice(start, end))!;
      const at = end - quantifier[0].length;
      return `${text.slice(0, at)}${min === 0 ? '*' : '+'}${quantifier.groups!['lazy']}${text.slice(end)}`;
    }, regex);
}

type Repeat = Extract<RegexNode, { kind: 'repeat' }>;

function wideRepeats(node: RegexNode): Repeat[] {
  switch (node.kind) {
    case 'char':
    case 'set':
    case 'anchor':
      return [];
    case 'sequence':
      return node.items.flatMap(wideRepeats);
    case 'choice':
      return node.options.flatMap(wideRepeats);
    case 'repeat':
      return [...(node.max !== Infinity && node.max - node.min > WIDE ? [node] : []), ...wideRepeats(node.item)];
  }
}
