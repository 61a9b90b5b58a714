// The shape of a text verdict before it is written: sections of items of lines, and how they are cut to a size.
import type { EvidenceContext } from '../types.ts';

export type Tone = 'plain' | 'heading' | 'good' | 'bad' | 'doubtful' | 'faint';

export interface Line {
  readonly text: string;
  readonly tone: Tone;
  /** A command is never broken, a quoted log line anywhere, all else between words; the title is the one line that says status and cause. */
  readonly kind?: 'title' | 'command' | 'quote' | 'link';
  /** What stands before the words: a step's number, an answer's outcome. */
  readonly mark?: string;
  /** When what it is about was said; where it is known, the picture of the boot marks it. */
  readonly time?: string | null;
  /** How far a row is indented that continues the line; without it as far as the line itself. */
  readonly hang?: number;
  /** Part that stands out on a terminal. */
  readonly strong?: { readonly start: number; readonly end: number } | null;
  /** What stands beside a quoted line, for a format that has room for it. */
  readonly context?: EvidenceContext;
}

/** Lines that belong together and are only ever dropped together. */
export type Item = readonly Line[];

export interface Section {
  readonly title: string | null;
  readonly items: readonly Item[];
  /** Items that stay as long as anything else can go. */
  readonly keep: number;
  /** Which end is dropped first. */
  readonly cutFrom: 'start' | 'end';
  /** Sections with a lower rank lose items first. */
  readonly rank: number;
  /** Folded where there is something to fold with. */
  readonly folds?: boolean;
}

/** A reference of the pack that may be shown as a link. */
export const WEB_ADDRESS = /^https:\/\/[\w.-]+(?:\/[\w./#?=&%~+-]*)?$/;

/** A section never begins with more: what would not fit anyway need not be weighed. */
const ITEMS_MAX = 60;

/** Lines of all sections, at most `limit` characters with their line breaks, `perLine` more for each line. Says what was cut. */
export function fit(sections: readonly Section[], limit: number, perLine: number): Line[] {
  const present = sections.filter((section) => section.items.length > 0);
  const kept = new Map(present.map((section) => [section, Math.min(section.items.length, ITEMS_MAX)]));
  const size = (): number => linesOf(present, kept).reduce((sum, line) => sum + line.text.length + 1 + perLine, 0);
  const inOrder = present.toSorted((a, b) => a.rank - b.rank);
  for (const most of [Infinity, 2, 1, 0])
    for (const section of inOrder)
      while (kept.get(section)! > Math.min(section.keep, most) && size() > limit)
        kept.set(section, kept.get(section)! - 1);
  return linesOf(present, kept);
}

function linesOf(sections: readonly Section[], kept: ReadonlyMap<Section, number>): Line[] {
  return sections.flatMap((section, index) => {
    const count = kept.get(section)!;
    const missing = section.items.length - count;
    const items = section.cutFrom === 'end' ? section.items.slice(0, count) : section.items.slice(missing);
    const note = missing === 0 ? [] : [plain(`  … ${missing} more left out for length, see --format json`, 'faint')];
    return [
      ...(index === 0 ? [] : [plain('')]),
      ...(section.title === null ? [] : [plain(section.title, 'heading')]),
      ...(section.cutFrom === 'start' ? note : []),
      ...items.flat(),
      ...(section.cutFrom === 'end' ? note : []),
    ];
  });
}

/** The words of a line without its indentation and its mark. */
export function wordsOf({ text, mark = '' }: Line): string {
  return text.trimStart().slice(mark.length).trimStart();
}

/** The command of a step, without the prompt that says whose shell it is for; null if it has none. */
export function commandIn(item: Item): { readonly where: 'node' | 'admin'; readonly text: string } | null {
  const [first, ...more] = item.filter(({ kind }) => kind === 'command').map(({ text }) => text);
  if (first === undefined) return null;
  const start = first.indexOf('$ ') + 2;
  const text = [first, ...more].map((line) => line.slice(start)).join('\n');
  return { where: first.trimStart().startsWith('admin') ? 'admin' : 'node', text };
}

export function plain(text: string, tone: Tone = 'plain'): Line {
  return { text, tone };
}
