// Counts how many steps a backtracking engine can be driven to by one expression, at most: how often each part is entered,
// from how many places, and how far it runs. Runs nothing; what it cannot count it names.
import { type CharSet, CharSets } from './character-sets.ts';
import { canMeet, densityOf, type FixedText, mostAtOnePlace, spacingOf } from './fixed-text.ts';
import { amountFor, constant, type Growth, NONE, ofLength, ONE, plus, times } from './growth.ts';
import { ambiguousPart, DONE, either, headOf, joined, longestOf, shortestOf, textsOf } from './heads.ts';
import type { RegexNode } from './regex-syntax.ts';

export interface StepCount {
  /** Infinity if nothing could be proven. */
  readonly steps: number;
  /** The part that costs most, or that cannot be counted. */
  readonly worst: RegexNode | null;
  /** `ambiguous`: a repeat can divide one text in several ways; `wide`: too many alternatives; `costly`: counted. */
  readonly kind: 'ambiguous' | 'wide' | 'costly';
}

/** Runs of characters whose end is not known yet: how many ends there are depends on the text that must follow. */
interface Run {
  /** What the runs are made of; null if the ends are not bound to that. */
  readonly set: CharSet | null;
  /** How many such runs there are. */
  readonly count: Growth;
  /** The ends of all of them together. */
  readonly ends: Growth;
  /** How many of them can cover one place. */
  readonly overlap: Growth;
  /** Least distance of two ends. */
  readonly spacing: number;
}

/** Where the engine can stand: `before` ways to come to the start of the run, its ends, and the text since. */
interface Standing {
  readonly before: Growth;
  readonly run: Run | null;
  readonly texts: readonly FixedText[];
}

/** What is still to match: a list with shared tails. */
type Rest = { readonly node: RegexNode; readonly rest: Rest } | null;

class CannotCount extends Error {
  readonly node: RegexNode;
  readonly kind: 'ambiguous' | 'wide';

  constructor(node: RegexNode, kind: 'ambiguous' | 'wide') {
    super(kind);
    this.node = node;
    this.kind = kind;
  }
}

const VISITS_MAX = 20_000;
const UNROLLED_MAX = 4;
const TEXT_MAX_CHARS = 96;
const EMPTY: readonly FixedText[] = [[]];
const ONCE: Standing = { before: ONE, run: null, texts: EMPTY };

/** Steps of one search in a text of `chars` characters. One step is one character of a run, or one place that is tried. */
export function countSteps(source: string, tree: RegexNode, options: { readonly ignoreCase: boolean; readonly chars: number }): StepCount {
  const sets = new CharSets(source, options.ignoreCase);
  const { chars } = options;
  const costs = new Map<RegexNode, Growth>();
  const heads = new Map<Rest, FixedText>();
  let visits = 0;

  function charge(node: RegexNode, cost: Growth): void {
    costs.set(node, plus(costs.get(node) ?? NONE, cost));
  }

  function follow(rest: Rest): FixedText {
    if (rest === null) return DONE;
    let head = heads.get(rest);
    if (head === undefined) {
      head = headOf(rest.node, follow(rest.rest), sets);
      heads.set(rest, head);
    }
    return head;
  }

  function explore(rest: Rest, from: Standing): void {
    if (rest === null) return;
    if (++visits > VISITS_MAX) throw new CannotCount(tree, 'wide');
    // What cannot fail any more is entered once and ends the search.
    const standing = follow(rest) === DONE ? ONCE : from;
    const { node } = rest;
    const texts = node.kind === 'anchor' ? null : textsOf(node, sets);
    if (texts !== null) {
      const behind = reading(standing, texts);
      const several = mostAtOnePlace(texts.filter((text) => text.length > 0)) > 1;
      if (several || behind.before !== standing.before) charge(node, waysOf(behind));
      return explore(rest.rest, behind);
    }
    switch (node.kind) {
      case 'char':
      case 'set':
        return;
      case 'anchor':
        return explore(rest.rest, atAnchor(source.slice(node.start, node.end), standing));
      case 'sequence':
        return explore(
          node.items.reduceRight<Rest>((tail, item) => ({ node: item, rest: tail }), rest.rest),
          standing,
        );
      case 'choice':
        return choice(node.options, rest.rest, standing);
      case 'repeat':
        return repeat(node, rest.rest, standing);
    }
  }

  /** Options of fixed text go on together; each of the others by itself. */
  function choice(options: readonly RegexNode[], rest: Rest, standing: Standing): void {
    const fixed = options.map((option) => textsOf(option, sets));
    const together = fixed.flatMap((texts) => texts ?? []);
    if (together.length > 0) explore(rest, reading(standing, together));
    options.forEach((option, index) => {
      if (fixed[index] === null) explore({ node: option, rest }, standing);
    });
  }

  function repeat(node: Extract<RegexNode, { kind: 'repeat' }>, rest: Rest, standing: Standing): void {
    const { item, min, max } = node;
    const once = single(item);
    if (once !== null) return runOf(node, once, rest, standing);
    if (max <= UNROLLED_MAX) {
      for (let copies = min; copies <= max; copies++) explore(copied(item, copies, rest), standing);
      return;
    }
    if (min > 0 && min <= UNROLLED_MAX) return explore(copied(item, min, { node: { ...node, min: 0, max: max - min }, rest }), standing);
    const again = headOf(item, [], sets);
    const next = follow(rest);
    const unsure = shortestOf(item) === 0 ? node : ambiguousPart(item, either([again, next]), sets);
    if (unsure !== null) throw new CannotCount(unsure, 'ambiguous');
    const before = waysOf(standing);
    const longest = longestOf(node);
    charge(node, times(before, longest < chars ? constant(2 * longest) : ofLength(2)));
    const leavesOnce = next.length > 0 && !canMeet(again, next);
    const ends = max === Infinity ? ofLength(1) : constant(max - min + 1);
    explore(rest, {
      before,
      run: leavesOnce ? null : { set: null, count: ONE, ends, overlap: ONE, spacing: max === Infinity ? shortestOf(item) : 1 },
      texts: EMPTY,
    });
  }

  function runOf(node: Extract<RegexNode, { kind: 'repeat' }>, set: CharSet, rest: Rest, standing: Standing): void {
    const { min, max } = node;
    const required = Math.min(min, TEXT_MAX_CHARS);
    // A run that may be empty, right behind a run: the two cases meet different ends of the latter.
    if (min === 0 && standing.run !== null && standing.texts === EMPTY && !isStart(standing)) {
      explore(rest, standing);
      return longRun(reading(standing, [[set]]), 1);
    }
    return longRun(reading(standing, [Array.from({ length: required }, () => set)]), min);

    function longRun(from: Standing, already: number): void {
      if (follow(rest) === DONE) return charge(node, ofLength(1));
      const unbounded = max === Infinity || max - already >= chars;
      const places = plus(unbounded ? ofLength(1) : constant(max - already), constant(1 + min - required));
      const { before, count } = entries(from);
      const apart = runsApart(from, set);
      const alone = { ends: times(count, places), overlap: overlapOf(from, places) };
      const { ends, overlap } = apart !== null && amountFor(apart.ends, chars) < amountFor(alone.ends, chars) ? apart : alone;
      charge(node, times(before, ends));
      explore(rest, { before, run: { set, count, ends, overlap, spacing: 1 }, texts: EMPTY });
    }
  }

  function single(node: RegexNode): CharSet | null {
    const texts = node.kind === 'repeat' ? null : textsOf(node, sets);
    return texts === null || texts.some((text) => text.length !== 1) || mostAtOnePlace(texts) > 1 ? null : texts.reduce((all, text) => all | text[0]!, 0n);
  }

  const start: Standing = { before: ONE, run: { set: null, count: ONE, ends: ofLength(1), overlap: ONE, spacing: 1 }, texts: EMPTY };
  try {
    charge(tree, ofLength(1));
    explore({ node: tree, rest: null }, start);
  } catch (error) {
    if (error instanceof CannotCount) return { steps: Infinity, worst: error.node, kind: error.kind };
    throw error;
  }
  const ranked = [...costs].map(([node, cost]) => ({ node, steps: amountFor(cost, chars) })).toSorted((a, b) => b.steps - a.steps);
  return { steps: ranked.reduce((sum, { steps }) => sum + steps, 0), worst: ranked[0]?.node ?? null, kind: 'costly' };
}

function isStart({ run }: Standing): boolean {
  return run !== null && run.set === null;
}

function copied(item: RegexNode, copies: number, rest: Rest): Rest {
  let all = rest;
  for (let copy = 0; copy < copies; copy++) all = { node: item, rest: all };
  return all;
}

/** Behind fixed text. Where there are too many different texts, or too long ones, their ends are counted now and the text begins anew. */
function reading(standing: Standing, texts: readonly FixedText[]): Standing {
  if (texts.every((text) => text.length === 0)) return standing;
  const all = joined(standing.texts, texts);
  if (all !== null && all.every((text) => text.length <= TEXT_MAX_CHARS)) return { ...standing, texts: all };
  return { before: waysOf(standing), run: null, texts };
}

function atAnchor(anchor: string, standing: Standing): Standing {
  const fixed = anchor === '$' || (anchor === '^' && isStart(standing) && standing.texts === EMPTY);
  if (!fixed) return standing;
  const { before, run, texts } = standing;
  return { before: times(before, times(run?.count ?? ONE, constant(mostAtOnePlace(texts)))), run: null, texts: EMPTY };
}

/** In how many ways the engine can come to stand here. */
function waysOf(standing: Standing): Growth {
  const { before, count } = entries(standing);
  return times(before, count);
}

/** The same, with what the latest runs add apart from what was there before them. */
function entries({ before, run, texts }: Standing): { readonly before: Growth; readonly count: Growth } {
  const most = mostAtOnePlace(texts);
  if (run === null) return { before: times(before, constant(most)), count: ONE };
  const { set, count, ends, spacing } = run;
  const outside = set === null ? [-1] : texts.map((text) => text.findIndex((allowed) => (allowed & set) === 0n));
  // Text that cannot stand inside the run leaves only ends close to the run's own end.
  const close = Math.floor(Math.max(...outside) / Math.max(spacing, spacingOf(texts))) + 1;
  if (outside.every((at) => at >= 0)) return { before, count: times(count, constant(most * close)) };
  return { before, count: plus(times(ends, constant(Math.min(most / spacing, densityOf(texts)))), times(count, constant(most))) };
}

/**
 * The runs of `set` behind the texts, if they cannot overlap: each text holds a character that no run may hold, so the next
 * run begins where the one before has ended. Null if they can.
 */
function runsApart({ run, texts }: Standing, set: CharSet): Pick<Run, 'ends' | 'overlap'> | null {
  if (run === null) return null;
  const last = texts.map((text) => text.findLastIndex((allowed) => (allowed & set) === 0n));
  if (last.some((at) => at < 0)) return null;
  const most = mostAtOnePlace(texts);
  const behind = Math.max(...texts.map((text, at) => text.length - 1 - last[at]!));
  const overlap = times(run.overlap, constant(most * (1 + Math.floor(behind / spacingOf(texts)))));
  return { ends: plus(times(overlap, ofLength(1)), times(run.count, constant(most))), overlap };
}

/** How many runs of this length can cover one place, if they begin behind the texts. */
function overlapOf({ run, texts }: Standing, places: Growth): Growth {
  if (run === null) return ONE;
  return times(run.overlap, plus(times(places, constant(densityOf(texts))), constant(mostAtOnePlace(texts))));
}
