// A verdict as Markdown, to be pasted into a ticket or a chat: headline, fix, check and proof open, the rest folded.
import type { RedactedVerdict } from '../../types.ts';
import { type Bar, type BootPicture, bootPicture, type UsualMs } from '../boot-picture.ts';
import { fitted } from '../fitted.ts';
import { type ReportOptions, reportOf } from '../report.ts';
import { commandIn, type Item, type Section, WEB_ADDRESS, wordsOf } from '../section.ts';
import { clip } from '../wording.ts';
import { inertBlock, inertCode, inertProse } from './inert.ts';

export interface MarkdownOptions extends ReportOptions {
  readonly usualMs: UsualMs;
}

/** GitHub takes 65,536 characters for an issue or a comment. */
export const MARKDOWN_MAX_BYTES = 60_000;
const LINE_MAX_CHARS = 1_000;
const BESIDE_MAX_CHARS = 400;
const BAR_CELLS = 32;
const SHELLS = { node: 'On the node:', admin: 'In a shell with your own credentials:' } as const;

/** Ends with a newline. */
export function renderMarkdown(verdict: RedactedVerdict, options: MarkdownOptions): string {
  return fitted(verdict, MARKDOWN_MAX_BYTES, (fitting) => render(fitting, options));
}

function render(verdict: RedactedVerdict, options: MarkdownOptions): string {
  const { headline, steps, proof, boot, rest, colophon } = reportOf(verdict, options, LINE_MAX_CHARS);
  const top = headline.items.flat().map((line) => `${line.kind === 'title' ? '## ' : ''}${inertProse(wordsOf(line))}`);
  return `${[
    ...top,
    ...[...steps, proof].flatMap(sectionOf),
    ...bootOf(boot, bootPicture(verdict, options.usualMs)),
    ...besideOf(proof),
    ...rest.flatMap((section) => (section.folds === true ? folded(section) : sectionOf(section))),
    ...colophon.items.flat().map((line) => inertProse(wordsOf(line))),
  ].join('\n\n')}\n`;
}

function sectionOf({ title, items }: Section): string[] {
  return items.length === 0 ? [] : [`### ${inertProse(title ?? '')}`, ...items.flatMap(itemOf)];
}

function folded({ title, items }: Section): string[] {
  if (items.length === 0) return [];
  return [
    `<details><summary>${title} (${items.length})</summary>`,
    items.map((item) => `- ${proseOf(item)}`).join('\n'),
    '</details>',
  ];
}

/** The quoted lines once more, between those that stand beside them. */
function besideOf({ items }: Section): string[] {
  const blocks = items.flat().flatMap((line) => {
    if (line.context === undefined) return [];
    const { before, after } = line.context;
    const beside = (lines: readonly string[]): string[] => lines.map((one) => `  ${clip(one, BESIDE_MAX_CHARS)}`);
    return [inertBlock([...beside(before), `> ${wordsOf(line)}`, ...beside(after)].join('\n'))];
  });
  if (blocks.length === 0) return [];
  return [`<details><summary>Proof with the lines beside it (${blocks.length})</summary>`, ...blocks, '</details>'];
}

/** Words as a paragraph or step; quoted lines and commands in blocks below them, at the margin, where every program knows a fence. */
function itemOf(item: Item): string[] {
  const quotes = item.filter(({ kind }) => kind === 'quote').map((line) => inertBlock(wordsOf(line)));
  const command = commandIn(item);
  const block = command === null ? [] : [SHELLS[command.where], inertBlock(command.text, 'sh')];
  const [mark] = item.map((line) => line.mark).filter((mark) => mark !== undefined);
  return [`${mark === undefined ? '' : `${mark} `}${proseOf(item)}`, ...quotes, ...block];
}

function proseOf(item: Item): string {
  const lines = item.filter(({ kind }) => kind === undefined || kind === 'link');
  return lines
    .map((line) => {
      const words = wordsOf(line);
      if (line.kind === 'link' && WEB_ADDRESS.test(words)) return `<${words}>`;
      const isOutcome = line.mark !== undefined && /^[a-z]/.test(line.mark);
      return `${isOutcome ? `${inertCode(line.mark)} ` : ''}${inertProse(words)}`;
    })
    .join(': ');
}

/** The steps with a bar each, as long as they took: all that the bars say is in the words beside them, too. */
function bootOf(boot: Section, picture: BootPicture | null): string[] {
  if (boot.items.length === 0) return [];
  const lines = boot.items.map((item, index) => {
    const bar = picture === null ? '' : `|${cellsOf(picture.bars[index]!, picture.length)}| `;
    return `${bar}${item.map(wordsOf).join(' ')}`;
  });
  return ['### Boot', inertBlock(lines.join('\n'))];
}

function cellsOf({ row, from, to, usualTo }: Bar, length: number): string {
  if (from === null) return ' '.repeat(BAR_CELLS);
  const cell = (ms: number): number => Math.min(BAR_CELLS - 1, Math.floor((ms / length) * BAR_CELLS));
  const fill = row.tone === 'bad' ? '▒' : '█';
  const bar = ' '.repeat(cell(from)) + fill.repeat(cell(to) - cell(from) + 1);
  // What a good boot would take beyond that.
  return bar.padEnd(usualTo === null ? 0 : cell(usualTo) + 1, '·').padEnd(BAR_CELLS);
}
