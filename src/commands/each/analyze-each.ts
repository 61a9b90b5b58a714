// `analyze PATH… --each`: a verdict of every capture, a table of all, and how often each cause is there. Of a capture that was judged
// nothing is kept but its row, and one that cannot be judged has a row that says why.
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EXIT_BAD_USAGE, EXIT_BUG, EXIT_NOTHING_READ, exitCodeOf } from '../../exit-codes.ts';
import { garbageCollector } from '../../host/processes/engine-limits.ts';
import { OperatorError } from '../../operator-error.ts';
import { redactText } from '../../redaction/redact.ts';
import { type CaptureRow, rowOf } from '../../render/many/capture-row.ts';
import { renderIndex, renderRow, renderRows, TABLE_HEAD } from '../../render/many/table.ts';
import { writeFileInOneStep } from '../../sinks/local/file.ts';
import { writeStream } from '../../sinks/local/stream.ts';
import type { RedactedVerdict } from '../../types.ts';
import { type CaptureContext, judgeCapture } from '../judge-capture.ts';
import { outputForm } from '../output-prefix.ts';
import type { LoadedPack } from '../pack.ts';
import { render } from '../print-verdict.ts';
import { capturesOf } from './captures.ts';
import { judgeInChild } from './judge-in-child.ts';

const EXTENSIONS = { text: 'txt', json: 'json', markdown: 'md', html: 'html' } as const;
const FOLDER_MODE = 0o700;
const NAME_MAX_CHARS = 80;
/** The first of these that any capture has is that of the run; without one, every node is Ready. */
const WORST_FIRST = [
  EXIT_BUG,
  exitCodeOf('failed'),
  exitCodeOf('stalled'),
  exitCodeOf('bootstrapping'),
  EXIT_NOTHING_READ,
];

type Judged =
  | { readonly verdict: RedactedVerdict }
  | { readonly verdict: null; readonly problem: string; readonly code: number };

export async function analyzeEach(loaded: LoadedPack, context: CaptureContext): Promise<number> {
  const { settings, operands } = context;
  const { output } = settings;
  // The arguments are refused where it is that of one node alone.
  const format = settings.format === 'aws-checks' ? 'text' : settings.format;
  const captures = await capturesOf(operands, output);
  if (captures.length === 0)
    throw new OperatorError(redactText(`There is nothing in ${operands.join(', ')}.`), EXIT_NOTHING_READ);
  if (output !== null) await makeFolder(output);
  const say = async (text: string): Promise<void> => {
    const { prefix } = outputForm(context);
    await writeStream(
      context.process.stdout,
      text.replaceAll(/^(?=.)/gm, () => prefix),
    );
  };

  if (output === null && format === 'text') await say(`${TABLE_HEAD}\n`);
  const collectGarbage = garbageCollector();
  const rows: CaptureRow[] = [];
  const codes = new Set<number>();
  for await (const { capture, judged } of inOrder(captures, settings.jobs, (one) => judge(one, loaded, context))) {
    const { verdict } = judged;
    const file = output === null || verdict === null ? null : fileName(rows.length, capture, EXTENSIONS[format]);
    const row = rowOf(redactText(capture), judged.verdict ?? judged.problem, file);
    rows.push(row);
    codes.add(verdict === null ? judged.code : exitCodeOf(verdict.status));
    if (file !== null && verdict !== null)
      await write(join(output!, file), render(verdict, { pack: loaded.pack, context }));
    collectGarbage();
    if (output === null && format === 'text') await say(`${renderRow(row)}\n`);
    if (output === null && format === 'json')
      await say(`${JSON.stringify({ capture: row.capture, problem: row.problem, verdict })}\n`);
  }
  if (output !== null) await write(join(output, `index.${EXTENSIONS[format]}`), renderIndex(rows, format));
  else await say(renderRows(rows, format));
  return WORST_FIRST.find((code) => codes.has(code)) ?? 0;
}

/** At most `jobs` are under way; they come in the order of the captures. */
async function* inOrder(
  captures: readonly string[],
  jobs: number,
  start: (capture: string) => Promise<Judged>,
): AsyncGenerator<{ readonly capture: string; readonly judged: Judged }> {
  const underWay: Promise<Judged>[] = [];
  for (const [index, capture] of captures.entries()) {
    while (underWay.length < jobs && index + underWay.length < captures.length) {
      const next = start(captures[index + underWay.length]!);
      // Whoever stops at the first one that rejects does not wait for the others.
      next.catch(() => undefined);
      underWay.push(next);
    }
    yield { capture, judged: await underWay.shift()! };
  }
}

/** @throws only the signal's reason */
async function judge(capture: string, loaded: LoadedPack, context: CaptureContext): Promise<Judged> {
  const { signal, settings, process } = context;
  try {
    const isChild = settings.jobs > 1 && capture !== '-';
    return { verdict: await (isChild ? judgeInChild(capture, context) : judgeCapture([capture], loaded, context)) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OperatorError) return { verdict: null, problem: error.message, code: error.exitCode };
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await writeStream(process.stderr, `${redactText(capture)}: ${stack}\n`).catch(() => undefined);
    return { verdict: null, problem: 'It could not be judged by a bug in this tool.', code: EXIT_BUG };
  }
}

/** `0017-i-0abc.tar.gz.html`: unlike any other, and safe in an address. */
function fileName(index: number, capture: string, extension: string): string {
  const name = basename(capture)
    .replace(/[^\w.-]/g, '-')
    .slice(0, NAME_MAX_CHARS);
  return `${String(index + 1).padStart(4, '0')}-${name}.${extension}`;
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE }).catch((error: Error) => {
    throw new OperatorError(`--output ${path} cannot be made a folder: ${error.message}`, EXIT_BAD_USAGE);
  });
}

async function write(path: string, text: string): Promise<void> {
  await writeFileInOneStep(path, text).catch((error: Error) => {
    throw new OperatorError(`${path} could not be written: ${error.message}`, EXIT_BAD_USAGE);
  });
}
