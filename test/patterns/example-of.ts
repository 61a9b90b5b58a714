// Makes a text that an expression of streams.yaml matches, so that samples can be given a name that leads to their stream.
import { parseRegex, type RegexNode } from '../../src/signatures/regex-syntax.ts';

/** The shortest simple text, or null if none of those tried matches. */
export function exampleOf(regex: string): string | null {
  const tree = parseRegex(regex);
  const whole = new RegExp(`^(?:${regex})$`);
  const texts = ['a', '0', '-', '4'].map((filler) => write(tree, filler));
  return texts.find((text) => whole.test(text)) ?? null;
}

function write(node: RegexNode, filler: string): string {
  switch (node.kind) {
    case 'char':
      return node.char;
    case 'set':
      return filler;
    case 'anchor':
      return '';
    case 'sequence':
      return node.items.map((item) => write(item, filler)).join('');
    case 'choice':
      return write(node.options[0]!, filler);
    case 'repeat':
      return write(node.item, filler).repeat(Math.max(node.min, node.max > 0 && node.item.kind === 'set' ? 1 : 0));
  }
}
