// Opens a box that is drawn on all four sides, as k9s and other terminal programs draw it, and joins again what a cell's width
// broke: only inside the box is that width known.
import { hasOwnHead } from './line-heads.ts';

const RULE = /^[┌└├╔╚╠╭╰┏┗┣].*[┐┘┤╗╝╣╮╯┓┛┫]$/;
const ROW = /^[│┃║](?<cell>.*)[│┃║]$/;
/** What k9s shows above its lines. */
const STATE = /^\s*Autoscroll:\S+ .*\bWrap:\S+\s*$/;
const WIDTH_MIN = 40;

export function openBox(lines: readonly string[]): readonly string[] | null {
  const filled = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
  const sides = filled.filter((line) => !RULE.test(line)).map((line) => ROW.exec(line)?.groups!['cell'] ?? null);
  const width = sides[0]?.length ?? 0;
  if (sides.length < 2 || width < WIDTH_MIN || sides.some((cell) => cell?.length !== width)) return null;
  const cells = (sides as string[]).filter((cell) => !STATE.test(cell));
  const isPadded = cells.every((cell) => cell.startsWith(' ') && cell.endsWith(' '));
  return joinCells(isPadded ? cells.map((cell) => cell.slice(1, -1)) : cells);
}

/** A terminal cuts anywhere, and where it cuts cells are full. Other programs break their lines between two words. */
function joinCells(cells: readonly string[]): readonly string[] {
  const parts = cells.map((cell, i) => i > 0 && isPart(cell));
  const isBetweenWords = parts.some((part, i) => part && !isFull(cells[i - 1]!) && hasNoRoom(cells[i - 1]!, cells[i]!));
  const joined: string[] = [];
  for (const [i, cell] of cells.entries()) {
    const before = cells[i - 1] ?? '';
    if (!parts[i]! || !(isFull(before) || (isBetweenWords && hasNoRoom(before, cell)))) joined.push(cell);
    else joined.push(`${isBetweenWords ? `${joined.pop()!.trimEnd()} ` : joined.pop()}${cell}`);
  }
  return joined.map((line) => withoutNames(line.trimEnd()));
}

function isPart(cell: string): boolean {
  return /^ ?\S/.test(cell) && !hasOwnHead(withoutNames(cell));
}

/** k9s puts the names of pod and container before a line's head. */
function withoutNames(line: string): string {
  const bare = [/^[\w./:-]{1,120} /, /^(?:[\w./:-]{1,120} ){2}/].map((names) => line.replace(names, ''));
  return hasOwnHead(line) ? line : (bare.find(hasOwnHead) ?? line);
}

/** A blank may stand where the text was cut. */
function isFull(cell: string): boolean {
  return !cell.endsWith('  ') && cell.trim() !== '';
}

function hasNoRoom(cell: string, next: string): boolean {
  return cell.trim() !== '' && cell.trimEnd().length + 1 + /^\S+/.exec(next.trimStart())![0].length > cell.length;
}
