// What the text that a part of an expression matches must begin with, and whether the part can match a given text in one
// way only.
import type { CharSets } from './character-sets.ts';
import { canMeet, type FixedText, union } from './fixed-text.ts';
import type { RegexNode } from './regex-syntax.ts';

const HEAD_MAX_CHARS = 32;
const EXPANSIONS_MAX = 96;

/** Stands for the text behind the end of an expression: whoever comes here has matched, and nothing is tried again. */
export const DONE: FixedText = [];

/** The sure beginning of a node and what follows it; empty if nothing is sure, DONE if it cannot fail. */
export function headOf(node: RegexNode, next: FixedText, sets: CharSets): FixedText {
  switch (node.kind) {
    case 'char':
    case 'set':
      return [sets.of(node), ...next].slice(0, HEAD_MAX_CHARS);
    case 'anchor':
      return next === DONE ? [] : next;
    case 'sequence':
      return node.items.reduceRight((head, item) => headOf(item, head, sets), next);
    case 'choice':
      return either(node.options.map((option) => headOf(option, next, sets)));
    case 'repeat': {
      const { item, min, max } = node;
      let head = max === min ? next : either([headOf(item, [], sets), next]);
      for (let copy = 0; copy < Math.min(min, HEAD_MAX_CHARS); copy++) head = headOf(item, head, sets);
      return head;
    }
  }
}

/** Beginning of what may go on in any of these ways. */
export function either(heads: readonly FixedText[]): FixedText {
  return heads.includes(DONE) ? DONE : union(heads);
}

/** Shortest text that the node matches, in characters. */
export function shortestOf(node: RegexNode): number {
  switch (node.kind) {
    case 'char':
    case 'set':
      return 1;
    case 'anchor':
      return 0;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + shortestOf(item), 0);
    case 'choice':
      return Math.min(...node.options.map(shortestOf));
    case 'repeat':
      return node.min * shortestOf(node.item);
  }
}

/** Longest text that the node matches, in characters; Infinity if there is no limit. */
export function longestOf(node: RegexNode): number {
  switch (node.kind) {
    case 'char':
    case 'set':
      return 1;
    case 'anchor':
      return 0;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + longestOf(item), 0);
    case 'choice':
      return Math.max(...node.options.map(longestOf));
    case 'repeat':
      return node.max === 0 ? 0 : node.max * longestOf(node.item);
  }
}

/**
 * The node that can match one text in two ways from the same start, if `next` follows; null if there is none. A way back
 * that must fail at its first character does not count.
 */
export function ambiguousPart(node: RegexNode, next: FixedText, sets: CharSets): RegexNode | null {
  switch (node.kind) {
    case 'char':
    case 'set':
    case 'anchor':
      return null;
    case 'sequence': {
      let follow = next;
      for (const item of node.items.toReversed()) {
        const found = ambiguousPart(item, follow, sets);
        if (found !== null) return found;
        follow = headOf(item, follow, sets);
      }
      return null;
    }
    case 'choice': {
      const heads = node.options.map((option) => headOf(option, next, sets));
      if (next !== DONE && heads.some((a, i) => heads.some((b, j) => i < j && canMeet(a, b)))) return node;
      return firstFound(node.options, (option) => ambiguousPart(option, next, sets));
    }
    case 'repeat': {
      const { item, min, max } = node;
      const again = headOf(item, [], sets);
      if (max > 1 && shortestOf(item) === 0) return node;
      if (max !== min && next !== DONE && canMeet(again, next)) return node;
      return ambiguousPart(item, max === 1 ? next : either([again, next]), sets);
    }
  }
}

/** Every text of a node that has neither repeats nor anchors; null if it has some, or has too many texts. */
export function textsOf(node: RegexNode, sets: CharSets): FixedText[] | null {
  switch (node.kind) {
    case 'char':
    case 'set':
      return [[sets.of(node)]];
    case 'anchor':
      return null;
    case 'sequence':
      return node.items.reduce<FixedText[] | null>((texts, item) => joined(texts, textsOf(item, sets)), [[]]);
    case 'choice': {
      const each = node.options.map((option) => textsOf(option, sets));
      return each.some((texts) => texts === null) ? null : atMost(each.flatMap((texts) => texts!));
    }
    case 'repeat': {
      const { item, min, max } = node;
      if (max > HEAD_MAX_CHARS || (max !== min && max > 1)) return null;
      const once = textsOf(item, sets);
      if (once === null) return null;
      if (max !== min) return atMost([[], ...once]);
      let texts: FixedText[] | null = [[]];
      for (let copy = 0; copy < min; copy++) texts = joined(texts, once);
      return texts;
    }
  }
}

/** Each of the first with each of the second behind it; null if that is too many. */
export function joined(before: readonly FixedText[] | null, after: readonly FixedText[] | null): FixedText[] | null {
  if (before === null || after === null || before.length * after.length > EXPANSIONS_MAX) return null;
  return before.flatMap((a) => after.map((b) => [...a, ...b]));
}

function atMost(texts: FixedText[]): FixedText[] | null {
  return texts.length > EXPANSIONS_MAX ? null : texts;
}

function firstFound<T, R>(items: readonly T[], find: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
