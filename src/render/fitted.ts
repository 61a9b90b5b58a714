// Renders a verdict so that it keeps within a number of bytes: whole if it can be, else with the least important parts left out.
import type { RedactedVerdict } from '../types.ts';
import { fitVerdict } from './fit-verdict.ts';

/** Escapes make text longer: this part of the bytes is tried for the verdict itself, one after the other. */
const PARTS = [2, 4, 8] as const;
export const CUT_FOR_LENGTH = 'cut-for-length';

export function fitted(
  verdict: RedactedVerdict,
  maxBytes: number,
  render: (fitting: RedactedVerdict) => string,
): string {
  let text = render(verdict);
  for (const part of PARTS) {
    if (Buffer.byteLength(text) <= maxBytes) break;
    text = render(cutTo(verdict, Math.floor(maxBytes / part)));
  }
  return text;
}

function cutTo(verdict: RedactedVerdict, bytes: number): RedactedVerdict {
  const { id: _id, status: _status, final: _final, ...rest } = verdict;
  const { cut = {}, verdict: body } = fitVerdict(rest, bytes);
  const detail = Object.entries(cut)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
  const fitting = body ?? { ...rest, timeline: [], evidence: [], probes: [], notChecked: [] };
  const note = { what: 'This report', code: CUT_FOR_LENGTH, detail };
  return { ...verdict, ...fitting, notChecked: [...fitting.notChecked, note] };
}
