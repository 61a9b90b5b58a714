// A verdict as one line of JSON for a file that is read again: never so long that a reader could miss whose line it is.
import type { RedactedVerdict } from '../types.ts';
import { fitVerdict } from './fit-verdict.ts';
import { renderJsonLine } from './json.ts';

/** Below the 64 KiB that a log reader looks back from a place in a line to its beginning. */
export const VERDICT_LINE_MAX_BYTES = 56 * 1024;
/** `id`, `status`, `final` and the newline. */
const HEAD_BYTES = 128;

/** Ends with a newline. The least important is cut to fit; where that does not help, all that has no fixed length. */
export function renderVerdictLine(verdict: RedactedVerdict): string {
  const { id: _id, status: _status, final: _final, ...body } = verdict;
  const fitted = fitVerdict(body, VERDICT_LINE_MAX_BYTES - HEAD_BYTES).verdict ?? {
    ...body,
    cause: null,
    notChecked: [],
    timeline: [],
    evidence: [],
    probes: [],
  };
  return renderJsonLine({ ...verdict, ...fitted }, '');
}
