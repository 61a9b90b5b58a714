// Many captures as one HTML page: how often each cause is there, and a row for each capture that leads to its own page.
import { escapeHtml } from '../html/escape.ts';
import { htmlPage } from '../html/page.ts';
import { clock } from '../wording.ts';
import { type CaptureRow, rollUp, wordRow } from './capture-row.ts';

const TONES = {
  ready: 'good',
  bootstrapping: '',
  stalled: 'bad',
  failed: 'bad',
  unknown: 'doubtful',
  'not read': 'doubtful',
} as const;

export function manyPage(rows: readonly CaptureRow[]): string {
  const { statuses, causes } = rollUp(rows);
  const counts = statuses.map(({ status, count }) => `<span class="${TONES[status]}">${count} ${status}</span>`);
  const most = Math.max(1, ...causes.map(({ count }) => count));
  const title = `${rows.length} ${rows.length === 1 ? 'capture' : 'captures'}`;
  return htmlPage(
    title,
    `<header><h1>${title}</h1><p>${counts.join(', ')}</p></header>
<main>
<section><h2>Causes</h2>${causes.length === 0 ? '<p>None was found.</p>' : ''}<ul>
${causes
  .map(
    ({
      id,
      title: name,
      count,
    }) => `<li><span class="number">${count}</span><div class="body"><p>${escapeHtml(name)} <span class="faint">${escapeHtml(id)}</span></p>
<svg aria-hidden="true" height="6"><rect class="step" y="1" height="4" width="${((count / most) * 100).toFixed(1)}%"/></svg></div></li>`,
  )
  .join('\n')}
</ul></section>
<section><h2>Captures</h2>
<table class="cards"><thead><tr><th>Capture</th><th>Status</th><th>Cause</th><th>Node</th></tr></thead><tbody>
${rows.map(rowHtml).join('\n')}
</tbody></table></section>
</main>`,
  );
}

/** The name of a file is made by this tool, of letters, digits, points and hyphens. */
function rowHtml(row: CaptureRow): string {
  const { capture, file, status, cause, instanceId, cluster, at } = row;
  const name = file === null ? escapeHtml(capture) : `<a href="${file}">${escapeHtml(capture)}</a>`;
  const node = [instanceId, cluster, at === null ? null : clock(at, null)].filter((word) => word !== null);
  const state = status ?? 'not read';
  const aside = cause === null ? '' : ` <span class="faint">${escapeHtml(cause.id)}, ${cause.confidence}</span>`;
  return `<tr><td>${name}</td><td class="${TONES[state]}">${state}</td><td>${escapeHtml(wordRow(row))}${aside}</td><td class="faint">${escapeHtml(node.join(', '))}</td></tr>`;
}
