// The end of every verdict on the node: redacted, rendered, written.
import { readChecksScript } from '../aws/checks-script.ts';
import { EXIT_BAD_USAGE, EXIT_NOTHING_READ } from '../exit-codes.ts';
import { OperatorError } from '../operator-error.ts';
import { TOOL_NAME } from '../options.ts';
import { redactText, redactVerdict } from '../redaction/redact.ts';
import { renderAwsChecks } from '../render/aws-checks.ts';
import { renderHtml } from '../render/html/verdict-page.ts';
import { renderJson, renderJsonLine } from '../render/json.ts';
import { renderMarkdown } from '../render/markdown/markdown.ts';
import { OTHER_REASONS, wordNotChecked } from '../render/not-checked.ts';
import type { AnswerTables } from '../render/probes.ts';
import { renderText } from '../render/text.ts';
import type { CommandContext } from './command-context.ts';
import { OUTPUT_LIMIT_MS, OUTPUT_LIMIT_WHEN_STOPPED_MS } from '../sinks/limits.ts';
import { DELIVERY_CODES } from '../sinks/codes.ts';
import { writeFileInOneStep } from '../sinks/local/file.ts';
import { writeStream } from '../sinks/local/stream.ts';
import { within, withinSignal } from '../lib/within.ts';
import { SOURCE_CODES } from '../sources/codes.ts';
import type { NotChecked, Pack, RedactedVerdict, Verdict } from '../types.ts';
import { consequencesOf } from './consequences.ts';
import { focusOf } from './focus.ts';
import { outputForm } from './output-prefix.ts';

export const REASONS = { ...SOURCE_CODES, ...DELIVERY_CODES, ...OTHER_REASONS };

export interface Printing {
  readonly pack: Pack;
  readonly context: CommandContext;
  /** Words for what the node answered; none where it is not asked. */
  readonly answers?: AnswerTables;
  /** True for a run that may say more than one verdict: JSON takes one line each. */
  readonly isOneOfMany?: boolean;
}

const NO_ANSWERS: AnswerTables = new Map();

/** What of a verdict may be shown and delivered. */
export function redactFor(verdict: Verdict, { settings }: CommandContext): RedactedVerdict {
  return redactVerdict(verdict, { identifiers: settings.redactIdentifiers });
}

/**
 * Writes a verdict to standard output, or to the file that was asked for. A file that cannot be written is said on standard error: the
 * exit code stays the verdict's, which is all that is left of it. @throws OperatorError
 */
export async function printVerdict(verdict: RedactedVerdict, saying: Printing): Promise<void> {
  await write(render(verdict, saying), saying.context);
}

/** Writes a verdict to standard output, for a run that goes on whatever becomes of it. Null if it was taken. Never rejects. */
export async function tryToPrint(verdict: RedactedVerdict, saying: Printing): Promise<NotChecked | null> {
  const { process, signal } = saying.context;
  const what = 'standard output';
  const writing = writeStream(process.stdout, render(verdict, saying)).then(
    () => null,
    (error: NodeJS.ErrnoException): NotChecked => ({
      what,
      code: 'output-failed',
      detail: error.code ?? error.message,
    }),
  );
  const shown = await withinSignal(within(writing, OUTPUT_LIMIT_MS), signal, OUTPUT_LIMIT_WHEN_STOPPED_MS);
  return shown.late || shown.value.late ? { what, code: 'output-blocked', detail: '' } : shown.value.value;
}

/** The verdict in the format that was asked for. Ends with a newline. */
export function render(
  verdict: RedactedVerdict,
  { pack, context, answers = NO_ANSWERS, isOneOfMany = false }: Printing,
): string {
  const { prefix, isLog } = outputForm(context);
  const { format } = context.settings;
  const offersAwsChecks = pack.causes.find(({ id }) => id === verdict.cause?.id)?.awsChecks === true;
  if (format === 'aws-checks') return renderAwsChecks(verdict, readChecksScript());
  if (format === 'json' && isOneOfMany) return renderJsonLine(verdict, prefix);
  if (format === 'json')
    return renderJson(verdict, prefix, offersAwsChecks ? renderAwsChecks(verdict, readChecksScript()) : null);
  const follows = consequencesOf(pack, verdict.cause?.id ?? null);
  const wording = {
    focus: focusOf(pack),
    follows,
    reasons: REASONS,
    answers,
    offersAwsChecks: offersAwsChecks && !isOneOfMany,
  };
  if (format === 'text')
    return renderText(verdict, { ...wording, color: wantsColor(context), prefix, isLog, width: widthOf(context) });
  const usualMs = new Map(pack.phases.map((phase) => [phase.id, phase.usualMs]));
  return format === 'html'
    ? renderHtml(verdict, { ...wording, usualMs })
    : renderMarkdown(verdict, { ...wording, usualMs });
}

async function write(text: string, { settings, process }: CommandContext): Promise<void> {
  const failed = (place: string, error: unknown): string =>
    `The answer could not be written to ${place}: ${(error as Error).message}`;
  if (settings.output === null) {
    await writeStream(process.stdout, text).catch((error: unknown) => {
      throw new OperatorError(failed('standard output', error), EXIT_BAD_USAGE);
    });
    return;
  }
  const { output } = settings;
  await writeFileInOneStep(output, text).catch((error: unknown) =>
    writeStream(process.stderr, `${TOOL_NAME}: ${failed(output, error)}\n`).catch(() => undefined),
  );
}

/** https://no-color.org: any value but the empty one. */
function wantsColor({ settings, process }: CommandContext): boolean {
  return (
    settings.color &&
    settings.output === null &&
    process.stdout.isTTY === true &&
    !process.env['NO_COLOR'] &&
    process.env['TERM'] !== 'dumb'
  );
}

const WIDTH_MIN = 80;
const WIDTH_MAX = 120;

/** Only what goes to a terminal is wrapped: who reads a pipe or a file may want whole lines. */
function widthOf({ settings, process }: CommandContext): number | null {
  if (settings.output !== null || process.stdout.isTTY !== true) return null;
  return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, process.stdout.columns ?? WIDTH_MIN));
}

const REASONS_MAX = 5;

/** What is said when there was not one line to judge. */
export function nothingRead(tried: readonly string[], notChecked: readonly NotChecked[]): OperatorError {
  const reasons = wordNotChecked(notChecked, REASONS);
  const more = reasons.length > REASONS_MAX ? [`And ${reasons.length - REASONS_MAX} more.`] : [];
  const why =
    reasons.length === 0 ? [`There is nothing in ${tried.join(', ')}.`] : [...reasons.slice(0, REASONS_MAX), ...more];
  return new OperatorError(redactText(`Nothing could be read. ${why.join(' ')}`), EXIT_NOTHING_READ);
}
