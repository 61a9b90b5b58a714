// Joins the lines of a message again that a note, a ticket or an editor broke between two words.
import { breaksBehindColon, hasOwnHead, mayBeginLine } from './line-heads.ts';

/** What no line of a log, a table or a document begins with: there a sentence goes on that was indented by hand. */
const MID_SENTENCE = /^(?:on|to|in|for|from|of|with|by|at|is|was|not|and|or|that|which|because|cannot) (?!=)\S/;
/** Longer text is a log, and logs are not broken between words. */
const LINES_MAX = 200;
const WIDTH_MIN = 48;
const WIDTH_MAX = 132;
/** Where the text was broken is known only by its longest line, which may be a little shorter. */
const SLACK_CHARS = 2;

export function joinWords(lines: readonly string[]): readonly string[] | null {
  if (lines.length > LINES_MAX) return null;
  const joined = blocksOf(lines).flatMap(joinBlock);
  return joined.length === lines.length ? null : joined;
}

/** Lines without a gap, indented alike (but for the first), of which only the first begins like a log line. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    if (block !== undefined && goesOn(block, line)) block.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

function goesOn(block: readonly string[], line: string): boolean {
  const before = block.at(-1)!;
  const text = line.trimStart();
  if (text === '' || before.trim() === '') return false;
  if (
    blanks(line) !== blanks(before) &&
    (block.length > 1 || blanks(line) < blanks(before) || !/\S$/.test(before) || !MID_SENTENCE.test(text))
  )
    return false;
  return !hasOwnHead(text) && !mayBeginLine(text, before.trimStart()) && !/^(?:#|[-*] |\d{1,3}[.)] )/.test(text);
}

/** A message may have line breaks of its own; but most breaks must be the editor's. */
function joinBlock(block: readonly string[]): readonly string[] {
  const width = block.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  if (block.length < 2 || width < WIDTH_MIN) return block;
  if (width > WIDTH_MAX && !breaksBehindColon(block[0]!.trimEnd(), block[1]!.trim())) return block;
  const joined = [block[0]!.trimEnd()];
  for (const [i, line] of block.slice(1).entries())
    if (isBroken(block[i]!.trimEnd(), line.trim(), width)) joined[joined.length - 1] += ` ${line.trim()}`;
    else joined.push(line.trimEnd());
  return block.length - joined.length >= (block.length - 1) / 2 ? joined : block;
}

/** The next word had no room. The widest line never has any: there only the next line's begin tells. */
function isBroken(line: string, next: string, width: number): boolean {
  const word = /^\S+/.exec(next)![0];
  if (/[.;!?]$/.test(line) || /^\d/.test(next) || (line.length === width && /^[A-Z]/.test(next))) return false;
  return line.length + 1 + word.length > width - SLACK_CHARS;
}

function blanks(line: string): number {
  return line.length - line.trimStart().length;
}
