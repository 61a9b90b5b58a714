// Writes the table of many captures and the roll-up of their causes, in each format.
import { inertBlock } from '../markdown/inert.ts';
import { type CaptureRow, rollUp, wordRow } from './capture-row.ts';
import { manyPage } from './page.ts';

type Format = 'text' | 'json' | 'markdown' | 'html';

const STATUS_CHARS = 14;
const CAUSE_CHARS = 34;
const SURE_CHARS = 8;

export const TABLE_HEAD = `${'status'.padEnd(STATUS_CHARS)}${'sure'.padEnd(SURE_CHARS)}${'cause'.padEnd(CAUSE_CHARS)}capture`;

/** One line, without its end: what can be as long as it likes stands last. */
export function renderRow(row: CaptureRow): string {
  const { status, cause, capture, instanceId } = row;
  const words = [
    (status ?? 'not read').padEnd(STATUS_CHARS),
    (cause?.confidence ?? '-').padEnd(SURE_CHARS),
    (cause?.id ?? '-').padEnd(CAUSE_CHARS),
    capture,
    status === null
      ? `: ${wordRow(row)}`
      : instanceId === null || capture.includes(instanceId)
        ? ''
        : ` (${instanceId})`,
  ];
  return words.join('');
}

/** What comes at the end on standard output: in text and JSON the rows are out already. */
export function renderRows(rows: readonly CaptureRow[], format: Format): string {
  if (format === 'json') return `${JSON.stringify({ captures: rows.length, ...rollUp(rows) })}\n`;
  return format === 'text' ? `\n${renderRollUp(rows)}` : renderIndex(rows, format);
}

/** All of it, as a file beside those of the captures. */
export function renderIndex(rows: readonly CaptureRow[], format: Format): string {
  if (format === 'html') return manyPage(rows);
  if (format === 'json') return `${JSON.stringify({ captures: rows, ...rollUp(rows) }, null, 2)}\n`;
  const table = `${[TABLE_HEAD, ...rows.map(renderRow)].join('\n')}\n`;
  if (format === 'text') return `${table}\n${renderRollUp(rows)}`;
  return `${inertBlock(renderRollUp(rows).trimEnd())}\n\n<details><summary>All captures (${rows.length})</summary>\n\n${inertBlock(table.trimEnd())}\n\n</details>\n`;
}

function renderRollUp(rows: readonly CaptureRow[]): string {
  const { statuses, causes } = rollUp(rows);
  const all = `${rows.length} ${rows.length === 1 ? 'capture' : 'captures'}`;
  const counts = statuses.map(({ status, count }) => `${count} ${status}`).join(', ');
  const lines = causes.map(({ id, title, count }) => `${String(count).padStart(5)}  ${id.padEnd(CAUSE_CHARS)}${title}`);
  return `${[`${all}: ${counts}`, ...lines].join('\n')}\n`;
}
