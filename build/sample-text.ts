// Shortens a sample line to the part that its expression matches, and writes it as inline code.

import type { Pattern } from '../src/types.ts';

const SHOWN_MAX_CHARS = 180;

/** Begins a little before the match; what is cut off is shown as `…`. Line breaks become blanks. */
export function shortSample(line: string, { regex, ignoreCase }: Pick<Pattern, 'regex' | 'ignoreCase'>): string {
  const text = line.replace(/\s*\n\s*/g, ' ').trim();
  if (text.length <= SHOWN_MAX_CHARS) return text;
  const found = new RegExp(regex.replace(/^\^/, ''), ignoreCase ? 'si' : 's').exec(text);
  const index = found?.index ?? 0;
  const matched = found?.[0].length ?? 0;
  const start = Math.max(
    0,
    Math.min(index - Math.floor(Math.max(0, SHOWN_MAX_CHARS - matched) / 2), text.length - SHOWN_MAX_CHARS),
  );
  const end = start + SHOWN_MAX_CHARS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}

/** Fenced by more back-ticks than the text holds. */
export function inlineCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}
