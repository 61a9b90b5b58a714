// Many captures as one HTML page: how often each cause is there, and a row for each capture that leads to its own page.
import { escapeHtml } from '../html/escape.ts';
import { htmlPage } from '../html/page.ts';
import { clock } from '../wording.ts';
import { type CaptureRow, type RollUp, rollUp, wordRow } from './capture-row.ts';

const TONES = {
  ready: 'good',
  bootstrapping: '',
  stalled: 'bad',
  failed: 'bad',
  unknown: 'doubtful',
  'not read': 'doubtful',
} as const;

/** More causes than these are folded. */
const CAUSES_OPEN = 10;

export function manyPage(rows: readonly CaptureRow[]): string {
  const { statuses, causes } = rollUp(rows);
  const counts = statuses.map(({ status, count }) => `<span class="${TONES[status]}">${count} ${status}</span>`);
  const more = causes.slice(CAUSES_OPEN);
  const folder = commonFolder(rows.map(({ capture }) => capture));
  const title = `${rows.length} ${rows.length === 1 ? 'capture' : 'captures'}`;
  return htmlPage(
    title,
    `<header><h1>${title}</h1><p>${counts.join(', ')}</p>${folder === '' ? '' : `<p class="faint">${escapeHtml(folder)}</p>`}</header>
<main>
<section><h2>Causes</h2>${causes.length === 0 ? '<p>None was found.</p>' : shares(causes.slice(0, CAUSES_OPEN), rows.length)}
${more.length === 0 ? '' : `<details><summary>${more.length} more</summary>${shares(more, rows.length)}</details>`}</section>
<section><h2>Captures</h2>
<table class="cards"><thead><tr><th>Capture</th><th>Status</th><th>Cause</th><th>Node</th></tr></thead><tbody>
${rows.map((row) => rowHtml(row, row.capture.slice(folder.length))).join('\n')}
</tbody></table></section>
</main>`,
  );
}

/** How often each is there, with a bar for its share of all captures. */
function shares(causes: RollUp['causes'], all: number): string {
  const items = causes.map(
    ({ id, title, count }) =>
      `<li><span class="number">${count}</span><div class="body"><p>${escapeHtml(title)} <span class="faint">${escapeHtml(id)}</span></p>
<svg class="share" aria-hidden="true" height="6"><rect class="step" y="1" height="4" width="${((count / all) * 100).toFixed(1)}%"/></svg></div></li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

/** The name of a file is made by this tool, of letters, digits, points and hyphens. */
function rowHtml(row: CaptureRow, name: string): string {
  const { file, status, cause, instanceId, cluster, at } = row;
  const link = file === null ? escapeHtml(name) : `<a href="${file}">${escapeHtml(name)}</a>`;
  const node = [instanceId, cluster, at === null ? null : clock(at, null)].filter((word) => word !== null);
  const state = status ?? 'not read';
  const aside = cause === null ? '' : ` <span class="faint">${escapeHtml(cause.id)}, ${cause.confidence}</span>`;
  return `<tr><td>${link}</td><td class="status ${TONES[state]}">${state}</td><td>${escapeHtml(wordRow(row))}${aside}</td><td class="faint">${escapeHtml(node.join(', '))}</td></tr>`;
}

/** What all names begin with, up to a slash; it would only push the rest out of sight. */
function commonFolder([first = '', ...more]: readonly string[]): string {
  let folder = first.slice(0, first.lastIndexOf('/') + 1);
  while (!more.every((name) => name.startsWith(folder)))
    folder = folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1);
  return folder;
}
