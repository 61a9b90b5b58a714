// A plain backtracking engine over the parsed syntax that counts its steps: a witness for the bound of count-steps.ts.
import { parseRegex, type RegexNode } from '../../src/signatures/regex-syntax.ts';

/** Steps of one search: every character that a repeat takes and every place at which the search begins. */
export function stepsOf(source: string, text: string, stepsMax: number): number {
  const tree = parseRegex(source);
  const classes = new Map<RegexNode, RegExp>();
  let steps = 0;

  function fits(node: RegexNode, char: string | undefined): boolean {
    let known = classes.get(node);
    if (known === undefined) classes.set(node, (known = new RegExp(`^${source.slice(node.start, node.end)}$`, 's')));
    return char !== undefined && known.test(char);
  }

  function match(node: RegexNode, at: number, then: (at: number) => boolean): boolean {
    if (steps > stepsMax) return true;
    switch (node.kind) {
      case 'char':
      case 'set':
        return fits(node, text[at]) && then(at + 1);
      case 'anchor': {
        const anchor = source.slice(node.start, node.end);
        return (anchor === '^' ? at === 0 : anchor === '$' ? at === text.length : true) && then(at);
      }
      case 'sequence': {
        const from = (index: number, place: number): boolean =>
          index === node.items.length ? then(place) : match(node.items[index]!, place, (next) => from(index + 1, next));
        return from(0, at);
      }
      case 'choice':
        return node.options.some((option) => match(option, at, then));
      case 'repeat': {
        const round = (done: number, place: number): boolean => {
          const again = (next: number): boolean => {
            if (done >= node.min) steps++;
            return next > place && round(done + 1, next);
          };
          return (done < node.max && match(node.item, place, again)) || (done >= node.min && then(place));
        };
        return round(0, at);
      }
    }
  }

  for (let start = 0; start <= text.length; start++) {
    steps++;
    if (match(tree, start, () => true)) break;
  }
  return steps;
}
