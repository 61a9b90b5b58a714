// A verdict as an operator reads it on a bad day: what is wrong, why, the fix, the proof. Never more than 6,000 characters.
import type { RedactedVerdict } from '../types.ts';
import { type ReportOptions, reportOf } from './report.ts';
import { fit, type Line, type Tone } from './section.ts';
import { wrapSections } from './wrap.ts';

export interface TextOptions extends ReportOptions {
  readonly color: boolean;
  /** Put before every line; empty for none. */
  readonly prefix: string;
  /** No empty lines: each would be an entry. */
  readonly isLog: boolean;
  /** Columns of the terminal; null: lines are as long as they are. */
  readonly width: number | null;
}

export const TEXT_MAX_CHARS = 6_000;
const COLOR_ROOM_CHARS = 1_000;

const RESET = '\u001b[0m';
const CODES = {
  plain: '',
  heading: '\u001b[1m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  doubtful: '\u001b[33m',
  faint: '\u001b[2m',
} satisfies Record<Tone, string>;

/** Ends with a newline. */
export function renderText(verdict: RedactedVerdict, options: TextOptions): string {
  const { headline, steps, proof, boot, rest, colophon } = reportOf(verdict, options);
  const sections = [headline, ...steps, proof, boot, ...rest, colophon];
  const wrapped = options.width === null ? sections : wrapSections(sections, options.width - options.prefix.length);
  const lines = fit(wrapped, TEXT_MAX_CHARS - (options.color ? COLOR_ROOM_CHARS : 0) - 1, options.prefix.length);
  return lines
    .filter(({ text }) => text !== '' || !options.isLog)
    .map((line) => `${`${options.prefix}${paint(line, options.color)}`.trimEnd()}\n`)
    .join('');
}

function paint(line: Line, color: boolean): string {
  const { text, strong = null } = line;
  if (!color || text === '') return text;
  if (strong !== null)
    return `${text.slice(0, strong.start)}${CODES.heading}${text.slice(strong.start, strong.end)}${RESET}${text.slice(strong.end)}`;
  const code = CODES[line.tone];
  return code === '' ? text : `${code}${text}${RESET}`;
}
