// Parses the part of JavaScript's regular-expression syntax that a pack may use, and refuses the rest: no lookaround, no
// back-reference, named groups only. It does not match anything.

export type RegexNode =
  | { readonly kind: 'char'; readonly char: string; readonly start: number; readonly end: number }
  | { readonly kind: 'set'; readonly start: number; readonly end: number }
  | { readonly kind: 'anchor'; readonly start: number; readonly end: number }
  | { readonly kind: 'sequence'; readonly items: readonly RegexNode[]; readonly start: number; readonly end: number }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[]; readonly start: number; readonly end: number }
  | {
      readonly kind: 'repeat';
      readonly item: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly start: number;
      readonly end: number;
    };

/** The expression uses something a pack must not use; `message` says what and where (character offset). */
export class RegexFormError extends Error {}

const SET_ESCAPES = 'dDwWsS';
const CONTROL_ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', '0': '\0' };

/** @throws RegexFormError for a form that is not allowed, or that JavaScript itself refuses. */
export function parseRegex(source: string): RegexNode {
  let at = 0;

  function fail(what: string): never {
    throw new RegexFormError(`${what} at character ${at + 1}`);
  }

  function choice(): RegexNode {
    const start = at;
    const options = [sequence()];
    while (source[at] === '|') {
      at++;
      options.push(sequence());
    }
    return options.length === 1 ? options[0]! : { kind: 'choice', options, start, end: at };
  }

  function sequence(): RegexNode {
    const start = at;
    const items: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated());
    return { kind: 'sequence', items, start, end: at };
  }

  function repeated(): RegexNode {
    const start = at;
    const item = atom();
    const quantifier = /^(?:[*+?]|\{(?<low>\d+)(?<comma>,(?<high>\d*))?\})\??/.exec(source.slice(at));
    if (quantifier === null) return item;
    at += quantifier[0].length;
    const { low, comma, high } = quantifier.groups as { low?: string; comma?: string; high?: string };
    const sign = quantifier[0][0];
    const min = low !== undefined ? Number(low) : sign === '+' ? 1 : 0;
    const max =
      low !== undefined ? (comma === undefined ? min : high ? Number(high) : Infinity) : sign === '?' ? 1 : Infinity;
    if (item.kind === 'anchor') fail('a quantifier on an anchor');
    return { kind: 'repeat', item, min, max, start, end: at };
  }

  function atom(): RegexNode {
    const start = at;
    const char = source[at]!;
    if (char === '(') return group();
    if (char === '[') return set();
    if (char === '\\') return escape();
    at++;
    if (char === '.') return { kind: 'set', start, end: at };
    if (char === '^' || char === '$') return { kind: 'anchor', start, end: at };
    if (char === '*' || char === '+' || char === '?') fail('a quantifier with nothing before it');
    return { kind: 'char', char, start, end: at };
  }

  function group(): RegexNode {
    const head = /^\((?:\?:|\?<[A-Za-z_]\w*>)/.exec(source.slice(at));
    if (head === null) {
      if (/^\(\?<?[=!]/.test(source.slice(at))) fail('lookaround is not allowed');
      if (source.startsWith('(?', at)) fail('this kind of group is not allowed');
      fail('a group must be named or non-capturing: (?<name>…) or (?:…)');
    }
    const start = at;
    at += head[0].length;
    const inner = choice();
    if (source[at] !== ')') fail('a group is not closed');
    at++;
    return {
      ...inner,
      start: inner.kind === 'choice' ? inner.start : start,
      end: inner.kind === 'choice' ? inner.end : at,
    };
  }

  function set(): RegexNode {
    const start = at;
    const body = /^\[\^?(?:\\.|[^\]\\])*\]/.exec(source.slice(at));
    if (body === null) fail('a character class is not closed');
    at += body[0].length;
    return { kind: 'set', start, end: at };
  }

  function escape(): RegexNode {
    const start = at;
    const char = source[at + 1];
    if (char === undefined) fail('a lone backslash');
    if (char === 'k' || /[1-9]/.test(char)) fail('a back-reference is not allowed');
    at += 2;
    if (char === 'b' || char === 'B') return { kind: 'anchor', start, end: at };
    if (SET_ESCAPES.includes(char)) return { kind: 'set', start, end: at };
    if (char === 'x' || char === 'u' || char === 'c' || char === 'p' || char === 'P')
      fail(`the escape \\${char} is not allowed`);
    return { kind: 'char', char: CONTROL_ESCAPES[char] ?? char, start, end: at };
  }

  const tree = choice();
  if (at < source.length) fail('an unexpected )');
  try {
    new RegExp(source, 's');
  } catch (error) {
    throw new RegexFormError((error as Error).message);
  }
  return tree;
}

/** Every alternative in the expression, as the range of its source text together with the range of its whole choice. */
export function alternatives(node: RegexNode): { readonly choice: RegexNode; readonly option: RegexNode }[] {
  switch (node.kind) {
    case 'char':
    case 'set':
    case 'anchor':
      return [];
    case 'repeat':
      return alternatives(node.item);
    case 'sequence':
      return node.items.flatMap(alternatives);
    case 'choice':
      return node.options.flatMap((option) => [{ choice: node, option }, ...alternatives(option)]);
  }
}
