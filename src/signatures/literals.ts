// Finds the literals that gate an expression: short ASCII texts of which at least one stands in the raw bytes of every
// line whose message the expression can match. A message is the line after unquoting, so a literal must not cross a
// quote, a backslash or the border between a logged value and the next key.
import type { RegexNode } from './regex-syntax.ts';

/** Shorter literals would make the scan visit too many places. */
export const LITERAL_MIN_BYTES = 4;
const LITERAL_MAX_BYTES = 48;

/** Why a literal cannot be searched in raw bytes, or null if it can. */
export function literalFault(literal: string): string | null {
  if (/[^\x20-\x7e]/.test(literal)) return 'holds a control or non-ASCII character';
  if (/["'\\`]/.test(literal)) return 'holds a quote, back-tick or backslash, which some log format escapes';
  if (/[<>&]/.test(literal)) return 'holds <, > or &, which some JSON writers escape';
  if (literal.length < LITERAL_MIN_BYTES) return `is shorter than ${LITERAL_MIN_BYTES} bytes`;
  return null;
}

/** Literals of which one must occur, best choice first in mind; null if the expression requires none. */
export function deriveLiterals(tree: RegexNode): string[] | null {
  const found = best(tree);
  return found === null ? null : [...new Set(found.map((literal) => literal.slice(0, LITERAL_MAX_BYTES)))];
}

function best(node: RegexNode): string[] | null {
  switch (node.kind) {
    case 'char':
      return usable(node.char);
    case 'set':
    case 'anchor':
      return null;
    case 'repeat':
      return node.min >= 1 ? best(node.item) : null;
    case 'choice': {
      const each = node.options.map(best);
      return each.some((option) => option === null) ? null : (each as string[][]).flat();
    }
    case 'sequence':
      return bestOfSequence(node.items);
  }
}

function bestOfSequence(items: readonly RegexNode[]): string[] | null {
  const candidates: string[][] = [];
  let run = '';
  function endRun(): void {
    const literals = usable(run);
    if (literals !== null) candidates.push(literals);
    run = '';
  }
  for (const item of items) {
    if (item.kind === 'char') {
      run += item.char;
      continue;
    }
    if (item.kind === 'sequence' && item.items.every((inner) => inner.kind === 'char')) {
      for (const inner of item.items) if (inner.kind === 'char') run += inner.char;
      continue;
    }
    endRun();
    const inner = best(item);
    if (inner !== null) candidates.push(inner);
  }
  endRun();
  candidates.sort((a, b) => worth(b) - worth(a));
  return candidates[0] ?? null;
}

/** A set is as good as its shortest member; fewer members break a tie. */
function worth(literals: readonly string[]): number {
  return Math.min(...literals.map((literal) => Math.min(literal.length, 24))) - literals.length / 100;
}

/** The longest piece of a run of characters that survives every log format, or null. */
function usable(run: string): string[] | null {
  const pieces = run
    .split(/["'`\\<>&]|[^\x20-\x7e]/)
    .flatMap((piece) => piece.split(/\s?\S*=/))
    .map((piece) => piece.slice(0, 200));
  const longest = pieces.reduce((a, b) => (b.length > a.length ? b : a), '');
  return literalFault(longest) === null ? [longest] : null;
}
