// Makes the texts with which a hostile writer would try to keep an expression busy: its own pieces repeated, with an end that
// fails. The same texts each time. It runs nothing.
import type { RegexNode } from './regex-syntax.ts';

/** Tried where a class may stand: what the classes of log expressions let pass or keep out. */
const FILLERS = ['a', '0', ' ', '-', '.', '/', '"', ':', '=', ',', '\n', '_', '(', '\u00e9'];
const WAYS_MAX = 4;
const PIECES_MAX = 12;
const RANDOM_TEXTS = 60;
const ENDS = ['', '\n!'];
const CUTS = [0.25, 0.5, 0.75, 1];

/** A text of about this many characters. */
export type Attack = (chars: number) => string;

/** `examples`: texts that the expression is made for, tried by their beginnings. */
export function attacksOn(source: string, tree: RegexNode, examples: readonly string[] = []): Attack[] {
  const ways = waysThrough(source, tree);
  const pieces = [...new Set([...ways.flat(), ...FILLERS])].filter((piece) => piece !== '');
  const spans = [
    ...[...FILLERS, pieces.join('')].map((pump): Span => ['', pump]),
    ...ways.flatMap(spansOf),
    ...examples.flatMap((example) => CUTS.map((cut): Span => ['', example.slice(0, Math.ceil(example.length * cut))])),
  ];
  const distinct = new Map(spans.filter(([, pump]) => pump !== '').map((span) => [span.join('\0'), span]));
  return [
    ...[...distinct.values()].flatMap(([head, pump]) => ENDS.map((end) => grown(head, pump, end))),
    ...randomAttacks(pieces),
  ];
}

function grown(head: string, pump: string, end: string): Attack {
  return (chars) => head + fill(pump, chars - head.length - end.length) + end;
}

type Span = readonly [head: string, pump: string];

/** Every run of neighbouring pieces, with all that comes before it; and the whole without its last character. */
function spansOf(way: readonly string[]): Span[] {
  const spans = way.flatMap((_, from) =>
    way
      .slice(from)
      .map((_piece, more): Span => [way.slice(0, from).join(''), way.slice(from, from + more + 1).join('')]),
  );
  return [...spans, ...spans.map(([, pump]): Span => ['', pump]), ['', way.join('').slice(0, -1)]];
}

/** Texts that the expression matches or nearly matches, in pieces that end where a repeat or a choice begins or ends. */
function waysThrough(source: string, tree: RegexNode): string[][] {
  const accepted = new Map<string, readonly string[]>();
  const charFor = (node: RegexNode, wanted: string): string => {
    const text = source.slice(node.start, node.end);
    let chars = accepted.get(text);
    if (chars === undefined) {
      const regex = new RegExp(`^${text}$`, 's');
      accepted.set(text, (chars = [...FILLERS, ...text.split('')].filter((char) => regex.test(char))));
    }
    return chars.includes(wanted) ? wanted : (chars[0] ?? '');
  };
  /** `way` picks the options; `filler` stands for the classes; optional parts are there if `full`. */
  const write = (node: RegexNode, way: number, filler: string, full: boolean): string[] => {
    switch (node.kind) {
      case 'char':
        return [node.char];
      case 'set':
        return [charFor(node, filler)];
      case 'anchor':
        return [];
      case 'sequence':
        return joinFixed(node.items, (item) => write(item, way, filler, full));
      case 'choice':
        return ['', write(node.options[way % node.options.length]!, way, filler, full).join(''), ''];
      case 'repeat': {
        const copies = Math.min(Math.max(node.min, full ? 1 : 0), node.max, 64);
        return ['', write(node.item, way, filler, full).join('').repeat(copies), ''];
      }
    }
  };
  const all = FILLERS.slice(0, 8).flatMap((filler, way) =>
    [true, false].map((full) => atMost(write(tree, way % WAYS_MAX, filler, full))),
  );
  return [...new Map(all.map((way) => [way.join('\0'), way])).values()];
}

/** Fixed neighbours are one piece. */
function joinFixed(items: readonly RegexNode[], write: (item: RegexNode) => string[]): string[] {
  const pieces: string[] = [''];
  for (const item of items) {
    const [first = '', ...rest] = write(item);
    pieces[pieces.length - 1] += first;
    pieces.push(...rest);
  }
  return pieces;
}

function atMost(pieces: readonly string[]): string[] {
  const full = pieces.filter((piece) => piece !== '');
  return full.length <= PIECES_MAX ? full : [...full.slice(0, PIECES_MAX - 1), full.slice(PIECES_MAX - 1).join('')];
}

function fill(pump: string, chars: number): string {
  return pump.repeat(Math.max(1, Math.ceil(chars / pump.length))).slice(0, Math.max(pump.length, chars));
}

/** Two random words, one repeated behind the other. Fixed seed: a slow expression is slow in every run. */
function randomAttacks(pieces: readonly string[]): Attack[] {
  let seed = 20_251;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const word = (): string => Array.from({ length: 1 + below(4) }, () => pieces[below(pieces.length)]!).join('');
  return Array.from({ length: RANDOM_TEXTS }, () => {
    const [first, second] = [word(), word()];
    return (chars) => fill(first, chars / 2) + fill(second, chars / 2);
  });
}
