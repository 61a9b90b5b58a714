// Undoes what a paste or an export has round its log lines, whatever format these have. Text that is as its program wrote it
// stays as it is.
import { closeGaps } from './blank-runs.ts';
import { cleanCharacters } from './clean-characters.ts';
import { csvLines } from './csv-export.ts';
import { openBox } from './drawn-box.ts';
import { joinWrapped } from './hard-wrap.ts';
import { documentLines, wrappedJsonLines } from './json-export.ts';
import { serviceStampedLines } from './service-stamps.ts';
import { besideStamps } from './stamped-line.ts';
import { STRIPS } from './strip-marks.ts';
import { joinWords } from './word-wrap.ts';

type Undo = (lines: readonly string[]) => readonly string[] | null;

/** One wrapping may stand in another; each is taken off once a round. */
const LAYERS_MAX = 6;

/** Null if there is nothing to undo. */
export function undoWrapping(text: string): string | null {
  const given = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
  let now = given;
  let isExport = false;
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    const next = ofExport(now);
    isExport ||= next !== null;
    const after = next ?? cleanCharacters(now) ?? ofPaste(now, isExport);
    if (after === null || after === now) break;
    now = after;
  }
  return now === given ? null : now;
}

function ofExport(text: string): string | null {
  const document = documentLines(text);
  if (document !== null) return ended(document);
  return first([csvLines, wrappedJsonLines, serviceStampedLines], text.split('\n'));
}

/** An export's own stamps stand aside meanwhile. */
function ofPaste(text: string, isExport: boolean): string | null {
  const undos = [openBox, joinWrapped, ...STRIPS, closeGaps, joinWords];
  return first(isExport ? undos.map(besideStamps) : undos, text.split('\n'));
}

function first(undos: readonly Undo[], lines: readonly string[]): string | null {
  for (const undo of undos) {
    const undone = undo(lines);
    if (undone !== null) return ended(undone);
  }
  return null;
}

function ended(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.endsWith('\n') ? text : `${text}\n`;
}
