// The CSV that log consoles export: a column with the message, in quotes that are doubled inside, and one with the time.
import { exportedTime, stampedLine } from './stamped-line.ts';

const MESSAGE = /^@?(?:message|msg|log|content|body)$/i;
const TIME = /^@?(?:timestamp|time|date|ingestiontime)$/i;
const HEADER = /^"?[@\w. -]{1,60}"?(?:,"?[@\w. -]{1,60}"?){0,15}\s*$/;
/** An export without its header. */
const ROW = /^(?:\d{13}|"?20\d\d-\d\d-\d\d[ T][\d:.]{8,15}Z?"?),(?!\d{3} - )(?=.)/;

export function csvLines(lines: readonly string[]): readonly string[] | null {
  const first = lines.findIndex((line) => line.trim() !== '');
  const head = lines[first];
  if (head === undefined) return null;
  const names = HEADER.test(head) ? rows(head)[0]! : [];
  const named = names.findIndex((name) => MESSAGE.test(name));
  if (named >= 0)
    return messagesOf(
      lines.slice(first + 1),
      named,
      names.findIndex((name) => TIME.test(name)),
    );
  return ROW.test(head) ? messagesOf(lines.slice(first), 1, 0) : null;
}

function messagesOf(lines: readonly string[], message: number, time: number): readonly string[] | null {
  const all = rows(lines.join('\n')).filter((row) => row[message] !== undefined && row[message] !== '');
  if (all.length === 0) return null;
  return all.flatMap((row) => stampedLine(row[message]!, time < 0 ? null : exportedTime(row[time])).split('\n'));
}

/** Fields in quotes may hold commas, doubled quotes and line breaks. */
function rows(text: string): string[][] {
  const field = /(?<=^|,|\n)(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^,\n]*))(?<end>,|\r?\n|$)/g;
  const found: string[][] = [[]];
  for (const { groups } of text.matchAll(field)) {
    const { quoted, plain, end } = groups as Record<string, string | undefined>;
    found.at(-1)!.push(quoted === undefined ? plain!.replace(/\r$/, '') : quoted.replaceAll('""', '"'));
    if (end !== ',') found.push([]);
  }
  return found.filter((row) => row.length > 0);
}
