// Has a process of its own judge a capture: its memory is gone with it, and nothing that befalls it reaches this one.
import { type ExecFileException, execFile } from 'node:child_process';
import { EXIT_BUG, isVerdict } from '../../exit-codes.ts';
import { OperatorError } from '../../operator-error.ts';
import { TOOL_NAME } from '../../options.ts';
import { ownCommand } from '../../own-program.ts';
import type { RedactedVerdict } from '../../types.ts';
import type { CommandContext } from '../command-context.ts';

const TIME_LIMIT_MS = 30 * 60_000;
/** JSON of a verdict has some 20 KB. */
const OUTPUT_MAX_BYTES = 64 * 1024 ** 2;

/** @throws OperatorError with the sentence and the exit code of the process */
export async function judgeInChild(capture: string, { settings, signal }: CommandContext): Promise<RedactedVerdict> {
  const [file, ...first] = ownCommand();
  const mask = settings.redactIdentifiers ? ['--redact-identifiers'] : [];
  const args = [...first, 'analyze', '--format', 'json', '--prefix', 'never', '--quiet', ...mask, '--', capture];
  const limits = { maxBuffer: OUTPUT_MAX_BYTES, timeout: TIME_LIMIT_MS, signal };
  const { error, stdout, stderr } = await new Promise<Ended>((resolve) =>
    execFile(file, args, limits, (error, stdout, stderr) => resolve({ error, stdout, stderr })),
  );
  const code = error === null ? 0 : typeof error.code === 'number' ? error.code : EXIT_BUG;
  if (isVerdict(code)) return JSON.parse(stdout) as RedactedVerdict;
  const said = stderr.trimEnd().replace(`${TOOL_NAME}: `, '');
  throw new OperatorError(said === '' ? `Its process ended: ${error?.signal ?? error?.message}` : said, code);
}

interface Ended {
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}
