// Makes text of a verdict harmless in Markdown: whatever a log said stays text, in any program that shows Markdown, and is
// neither a mention, nor a link, nor HTML, nor a mark-up of any kind.

/** `subnet's`, `read-only`, `AL2023`; nothing that a program takes for a reference or a checksum. */
const PLAIN_WORD =
  /^(?<open>[("]?)(?:[A-Za-z]+(?:['’/-][A-Za-z]+)*|[A-Za-z]{1,6}\d{1,4}|\d{1,6})(?<close>(?:[",;:!?)]|(?<=[A-Za-z0-9)"])\.)*)$/;
const LIKE_CHECKSUM = /^[("]?[0-9a-f]{7,}\b/i;
const AROUND = /^(?<open>[("]?)(?<core>.*?)(?<close>[",;:!?).]*)$/s;

/** One line of prose. Words that are no plain ones stand in code spans, which no program looks into. */
export function inertProse(text: string): string {
  return text
    .split(/[ \t]+/)
    .filter((word) => word !== '')
    .map((word, index) => (isPlain(word, index) ? word : spanned(word)))
    .join(' ');
}

function isPlain(word: string, index: number): boolean {
  // A number with a point at the start of a line begins a list.
  return PLAIN_WORD.test(word) && !LIKE_CHECKSUM.test(word) && !(index === 0 && /^\d/.test(word));
}

function spanned(word: string): string {
  const { open = '', core = '', close = '' } = AROUND.exec(word)!.groups!;
  return core === '' ? inertCode(word) : `${open}${inertCode(core)}${close}`;
}

/** A code span. Its marks are longer than any run of backticks inside. */
export function inertCode(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') || text.trim() === '' ? ' ' : '';
  return `${marks}${pad}${text}${pad}${marks}`;
}

/** A block of lines as they are. Its fence is longer than any run of backticks inside, so that no line can end it. */
export function inertBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
