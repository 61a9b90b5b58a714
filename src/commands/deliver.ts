// The end of every verdict: redacted, rendered, written, and turned into the exit code.
import { EXIT_BAD_USAGE, EXIT_NOTHING_READ, exitCodeOf } from '../exit-codes.ts';
import { OperatorError } from '../operator-error.ts';
import { redactText, redactVerdict } from '../redaction/redact.ts';
import { renderJson } from '../render/json.ts';
import { OTHER_REASONS, wordNotChecked } from '../render/not-checked.ts';
import { renderText } from '../render/text.ts';
import type { CommandContext } from '../run.ts';
import { writeFileInOneStep } from '../sinks/file.ts';
import { writeStream } from '../sinks/stream.ts';
import { SOURCE_CODES } from '../sources/codes.ts';
import type { NotChecked, Pack, RedactedVerdict, Verdict } from '../types.ts';
import { focusOf } from './focus.ts';
import { outputPrefix } from './output-prefix.ts';

export const REASONS = { ...SOURCE_CODES, ...OTHER_REASONS };

export async function deliver(verdict: Verdict, pack: Pack, context: CommandContext): Promise<number> {
  const redacted = redactVerdict(verdict);
  await write(render(redacted, pack, context), context);
  return exitCodeOf(verdict.status);
}

function render(verdict: RedactedVerdict, pack: Pack, context: CommandContext): string {
  const prefix = outputPrefix(context);
  if (context.settings.format === 'json') return renderJson(verdict, prefix);
  return renderText(verdict, { color: wantsColor(context), prefix, focus: focusOf(pack), reasons: REASONS });
}

async function write(text: string, { settings, process }: CommandContext): Promise<void> {
  try {
    await (settings.output === null ? writeStream(process.stdout, text) : writeFileInOneStep(settings.output, text));
  } catch (error) {
    const place = settings.output === null ? 'standard output' : settings.output;
    throw new OperatorError(`The answer could not be written to ${place}: ${(error as Error).message}`, EXIT_BAD_USAGE);
  }
}

/** https://no-color.org: any value but the empty one. */
function wantsColor({ settings, process }: CommandContext): boolean {
  return settings.color && settings.output === null && process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
}

const REASONS_MAX = 5;

/** What is said when there was not one line to judge. */
export function nothingRead(tried: readonly string[], notChecked: readonly NotChecked[]): OperatorError {
  const reasons = wordNotChecked(notChecked, REASONS);
  const more = reasons.length > REASONS_MAX ? [`And ${reasons.length - REASONS_MAX} more.`] : [];
  const why = reasons.length === 0 ? [`There is nothing in ${tried.join(', ')}.`] : [...reasons.slice(0, REASONS_MAX), ...more];
  return new OperatorError(redactText(`Nothing could be read. ${why.join(' ')}`), EXIT_NOTHING_READ);
}
