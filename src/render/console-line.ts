// A verdict as one line for the machine's console: what is wrong, how sure that is, and the first thing to do. At most 400
// characters, since a console shows little and keeps less.
import type { RedactedVerdict } from '../types.ts';
import { WITHOUT_CAUSE } from './headline.ts';
import { clip } from './wording.ts';

export const CONSOLE_MAX_CHARS = 400;
const PREFIX = 'eks-bootstrap-analyzer:';
/** Room that the summary leaves for the remedy. */
const SUMMARY_MAX_CHARS = 200;

/** Without a newline; begins with the name of the tool, so that it is never taken for evidence. */
export function renderConsoleLine({ status, cause }: RedactedVerdict): string {
  const said =
    cause === null
      ? `${status}: ${WITHOUT_CAUSE[status]}`
      : `${status} ${cause.id} (${cause.confidence}): ${clip(cause.summary, SUMMARY_MAX_CHARS)}`;
  const [step] = cause?.remedy ?? [];
  // A command of several lines would not be one any more.
  const command =
    step === undefined || step.command === null || step.command.trim().includes('\n') ? '' : ` ${step.command.trim()}`;
  const remedy = step === undefined ? '' : ` Fix: ${step.text}`;
  const whole = `${PREFIX} ${said}${remedy}`;
  return clip(whole.length + command.length <= CONSOLE_MAX_CHARS ? whole + command : whole, CONSOLE_MAX_CHARS);
}
