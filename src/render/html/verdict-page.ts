// A verdict as one HTML page: what is wrong, the fix, the check and the proof, the boot as a picture, the rest folded.
import type { RedactedVerdict } from '../../types.ts';
import type { UsualMs } from '../boot-picture.ts';
import { fitted } from '../fitted.ts';
import { titleParts } from '../headline.ts';
import { type ReportOptions, reportOf } from '../report.ts';
import { commandIn, type Item, type Line, type Section, WEB_ADDRESS, wordsOf } from '../section.ts';
import { bootRows } from '../sections.ts';
import { besideWords, clip } from '../wording.ts';
import { escapeHtml } from './escape.ts';
import { htmlPage } from './page.ts';
import { bootFigure } from './picture.ts';

export interface HtmlOptions extends ReportOptions {
  readonly usualMs: UsualMs;
}

export const HTML_MAX_BYTES = 150_000;
const LINE_MAX_CHARS = 1_000;
const BESIDE_MAX_CHARS = 400;

export function renderHtml(verdict: RedactedVerdict, options: HtmlOptions): string {
  return fitted(verdict, HTML_MAX_BYTES, (fitting) => render(fitting, options));
}

function render(verdict: RedactedVerdict, options: HtmlOptions): string {
  const { headline, steps, proof, rest, colophon } = reportOf(verdict, options, LINE_MAX_CHARS);
  const { status, title, aside, tone } = titleParts(verdict);
  const above = headline.items
    .flat()
    .map((line) =>
      line.kind === 'title'
        ? `<h1><span class="status ${tone}">${escapeHtml(status)}</span> ${escapeHtml(title)}${
            aside === '' ? '' : ` <span class="aside faint">${escapeHtml(aside)}</span>`
          }</h1>`
        : paragraph(line),
    );
  const open = rest.filter((section) => section.folds !== true);
  const left = [...steps, numbered(proof), ...open].filter(({ items }) => items.length > 0).map(sectionHtml);
  const folds = rest.filter((section) => section.folds === true).map(folded);
  const body = `<header class="${tone}">
${above.join('\n')}
</header>
<main>
<div${left.length === 0 ? '' : ' class="columns"'}>
<div>
${left.join('\n')}
</div>
<div>
${bootHtml(verdict, options.usualMs, proof)}
</div>
</div>
<div class="rest">
${folds.join('\n')}
</div>
</main>
<footer>${colophon.items
    .flat()
    .map((line) => escapeHtml(wordsOf(line)))
    .join(' ')}</footer>`;
  return htmlPage(`${status} ${title} ${aside}`.trimEnd(), body);
}

function sectionHtml({ title, items }: Section): string {
  return `<section><h2>${escapeHtml(title ?? '')}</h2>${list(items)}</section>`;
}

function folded({ title, items }: Section): string {
  if (items.length === 0) return '';
  return `<details><summary>${escapeHtml(title ?? '')} <span class="count">(${items.length})</span></summary>${list(items)}</details>`;
}

/** The numbers by which the picture names the proofs. */
function numbered(proof: Section): Section {
  const items = proof.items.map(([first, ...more], index): Item => {
    return first === undefined
      ? []
      : [{ ...first, text: `${index + 1} ${wordsOf(first)}`, mark: `${index + 1}` }, ...more];
  });
  return { ...proof, items };
}

function list(items: readonly Item[]): string {
  return `<ul>${items.map((item) => `<li>${markOf(item)}<div class="body">${bodyOf(item)}</div></li>`).join('\n')}</ul>`;
}

function markOf(item: Item): string {
  const mark = item[0]?.mark;
  if (mark === undefined) return '';
  const isOutcome = /^[a-z]/.test(mark);
  return isOutcome
    ? `<span class="outcome ${item[0]!.tone}">${escapeHtml(mark)}</span>`
    : `<span class="number">${mark === '-' ? '?' : escapeHtml(mark.replace('.', ''))}</span>`;
}

function bodyOf(item: Item): string {
  const command = commandIn(item);
  const words = item
    .filter(({ kind }) => kind !== 'command')
    .map((line) => (line.kind === 'quote' ? quote(line) : paragraph(line)));
  const shell =
    command === null
      ? []
      : [`<pre><span class="prompt">${command.where}$ </span><code>${unbrokenWords(command.text)}</code></pre>`];
  return [...words, ...shell].join('');
}

/** A command is broken between its words, and inside of one only where that is longer than the line. */
function unbrokenWords(command: string): string {
  return command.replace(/\S+|\s+/g, (part) => (part.trim() === '' ? part : `<span>${escapeHtml(part)}</span>`));
}

function paragraph(line: Line): string {
  const words = wordsOf(line);
  const isLink = line.kind === 'link' && WEB_ADDRESS.test(words);
  const html = isLink ? `<a rel="noreferrer" href="${escapeHtml(words)}">${escapeHtml(words)}</a>` : escapeHtml(words);
  return `<p${line.tone === 'plain' ? '' : ` class="${line.tone}"`}>${html}</p>`;
}

/** A log line, with what a signature matched in it. */
function quote(line: Line): string {
  return `<pre>${quoted(line)}</pre>${besides(line)}`;
}

/** Folded: it is long, and repeats what is above. */
function besides(line: Line): string {
  if (line.context === undefined) return '';
  const { before, after } = line.context;
  const beside = (lines: readonly string[]): string[] => lines.map((one) => escapeHtml(clip(one, BESIDE_MAX_CHARS)));
  const rows = [...beside(before), `<b>${quoted(line)}</b>`, ...beside(after)].map((row) => `<span>${row}\n</span>`);
  return `<details class="beside"><summary>${besideWords(line.context)}</summary><pre>${rows.join('')}</pre></details>`;
}

function quoted({ text, strong = null }: Line): string {
  if (strong === null) return escapeHtml(text.trimStart());
  const [before, match, after] = [
    text.slice(0, strong.start),
    text.slice(strong.start, strong.end),
    text.slice(strong.end),
  ];
  return `${escapeHtml(before.trimStart())}<mark>${escapeHtml(match)}</mark>${escapeHtml(after)}`;
}

function bootHtml(verdict: RedactedVerdict, usualMs: UsualMs, proof: Section): string {
  if (verdict.timeline.length === 0) return '';
  const events = proof.items.map((item, index) => ({ number: index + 1, time: item[0]?.time ?? null }));
  const rows = bootRows(verdict).map(
    ({ entry, mark, tone, words }) =>
      `<tr><td>${escapeHtml(entry.title)}</td><td class="${tone}">${mark}</td><td>${escapeHtml(words)}</td></tr>`,
  );
  return `<section><h2>Boot</h2>
${bootFigure(verdict, usualMs, events)}
<details><summary>The same as a table</summary>
<table><thead><tr><th>Step</th><th>State</th><th>Time</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></details></section>`;
}
