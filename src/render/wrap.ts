// Wraps the lines of a text verdict to a terminal's width. A command is never broken: it must stay ready to copy.
import type { Line, Section } from './section.ts';

/** A quoted log line without a space this far back is broken in the middle of a word. */
const WORD_MAX_CHARS = 40;

/** The same sections, no line longer than `width` but commands and single words. */
export function wrapSections(sections: readonly Section[], width: number): Section[] {
  return sections.map((section) => ({
    ...section,
    items: section.items.map((item) => item.flatMap((line) => wrapLine(line, width))),
  }));
}

function wrapLine(line: Line, width: number): Line[] {
  if (line.kind === 'command') return [line];
  const indent = ' '.repeat(line.hang ?? /^ */.exec(line.text)![0].length);
  const rows: Line[] = [];
  let from = 0;
  while (from < line.text.length || rows.length === 0) {
    const lead = from === 0 ? '' : indent;
    const to = breakAt(line, from, width - lead.length);
    rows.push({ ...line, text: lead + line.text.slice(from, to).trimEnd(), ...strongIn(line, from, to, lead.length) });
    from = to;
    while (line.text[from] === ' ') from++;
  }
  return rows;
}

/** Where the row ends that begins at `from`: at a space if there is one, and never inside a surrogate pair. */
function breakAt({ text, kind }: Line, from: number, room: number): number {
  if (text.length - from <= room) return text.length;
  const space = text.lastIndexOf(' ', from + room);
  const firstWord = from + /^ */.exec(text.slice(from))![0].length;
  if (kind !== 'quote') {
    if (space > firstWord) return space;
    const next = text.indexOf(' ', from + room);
    return next < 0 ? text.length : next;
  }
  if (space > firstWord && space > from + room - WORD_MAX_CHARS) return space;
  return /[\udc00-\udfff]/.test(text[from + room]!) ? from + room - 1 : from + room;
}

function strongIn({ strong }: Line, from: number, to: number, lead: number): Pick<Line, 'strong'> {
  if (strong === undefined || strong === null) return {};
  const [start, end] = [Math.max(strong.start, from), Math.min(strong.end, to)];
  return { strong: start >= end ? null : { start: start - from + lead, end: end - from + lead } };
}
