// Ends a CI run: prints the table of all bars, then `N passed, N failed`, bars and the caller's steps together.
// Arguments: how many steps passed, how many failed. Exits 1 if anything failed.

import { existsSync, readFileSync } from 'node:fs';
import { BARS_FILE, type Bar } from './bars.ts';

const [stepsPassed = 0, stepsFailed = 0] = process.argv.slice(2).map(Number);
const bars = existsSync(BARS_FILE) ? readFileSync(BARS_FILE, 'utf8').split('\n').filter(Boolean).map(parseBar) : [];

const rows = [
  ['bar', 'wanted', 'seen', ''],
  ...bars.map(({ bar, wanted, seen, ok, failed }) => [bar, wanted, seen, ok ? 'ok' : failed ? 'FAILED' : 'missed']),
];
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
console.log(
  `\n${rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`,
);

const barsFailed = bars.filter(({ failed }) => failed).length;
const failed = stepsFailed + barsFailed;
console.log(`${stepsPassed + bars.length - barsFailed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function parseBar(line: string): Bar {
  const { bar, wanted, seen, ok, failed = false } = JSON.parse(line) as Partial<Bar>;
  return { bar: String(bar), wanted: String(wanted), seen: String(seen), ok: ok === true, failed };
}
