// A verdict as an operator reads it on a bad day: what is wrong, the proof, the fix. Never more than 6,000 characters.
import type { RedactedVerdict } from '../types.ts';
import { headline } from './headline.ts';
import type { Reasons } from './not-checked.ts';
import { type AnswerTables, probes } from './probes.ts';
import { fit, type Line, type Tone } from './section.ts';
import { boot, check, colophon, fix, type Focus, notChecked, otherCauses, proof, recovered, symptoms } from './sections.ts';

export interface TextOptions {
  readonly color: boolean;
  /** Put before every line; empty for none. */
  readonly prefix: string;
  readonly focus: Focus;
  readonly reasons: Reasons;
  readonly answers: AnswerTables;
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
  const sections = [
    headline(verdict),
    proof(verdict, options.focus, options.answers),
    probes(verdict, options.answers),
    boot(verdict),
    check(verdict),
    fix(verdict),
    otherCauses(verdict),
    symptoms(verdict),
    recovered(verdict),
    notChecked(verdict, options.reasons),
    colophon(verdict),
  ];
  const lines = fit(sections, TEXT_MAX_CHARS - (options.color ? COLOR_ROOM_CHARS : 0) - 1, options.prefix.length);
  return lines.map((line) => `${`${options.prefix}${paint(line, options.color)}`.trimEnd()}\n`).join('');
}

function paint(line: Line, color: boolean): string {
  const code = CODES[line.tone];
  return color && code !== '' && line.text !== '' ? `${code}${line.text}${RESET}` : line.text;
}
