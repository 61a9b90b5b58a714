// Closes the gaps that a terminal's line ends leave where its screen was copied as one line: long runs of blanks within a record,
// each as long as the other.
import { hasStamp } from './line-heads.ts';

const GAP = /(?<=\S) {20,}(?=\S)/g;
/** A screen's rows are this wide at the least; columns of a table are narrower. */
const ROW_MIN_CHARS = 60;

export function closeGaps(lines: readonly string[]): readonly string[] | null {
  const closed = lines.map((line) => (hasStamp(line) ? close(line) : line));
  return closed.some((line, i) => line !== lines[i]) ? closed : null;
}

/** Rows of one width were cut anywhere, also beside a blank, which makes that gap longer; others were broken between two words. */
function close(line: string): string {
  const gaps = (line.match(GAP) ?? []).map((gap) => gap.length);
  const least = Math.min(...gaps);
  if (gaps.length < 2 || Math.max(...gaps) > least + 1) return line;
  const rows = line.split(GAP);
  const width = rows[0]!.length;
  if (width < ROW_MIN_CHARS) return line;
  const isCutAnywhere = rows.slice(0, -1).every((row) => Math.abs(row.length - width) <= 1);
  return line.replace(GAP, (gap) => (isCutAnywhere ? gap.slice(least) : ' '));
}
