// `patterns new GROUP/ID`: writes a pattern file to be filled in, and says what to do with it. Never touches a file that is there.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT_BAD_USAGE } from '../../exit-codes.ts';
import { OperatorError } from '../../operator-error.ts';
import { TOOL_NAME } from '../../options.ts';
import type { CommandContext } from '../command-context.ts';
import { patternTemplate } from '../../signatures/pattern-template.ts';
import { writeStream } from '../../sinks/local/stream.ts';

const PATTERNS_FOLDER = 'patterns';

export async function newPattern({ settings, process, operands }: CommandContext): Promise<number> {
  const named = operands[0]!;
  const parts = /^(?<group>[a-z0-9]+(?:-[a-z0-9]+)*)\/(?<id>[a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(named)?.groups;
  if (parts === undefined)
    throw new OperatorError(
      `"${named}" is not GROUP/ID in lower case with hyphens, such as runtime/registry-mirror-down.`,
      EXIT_BAD_USAGE,
    );
  const { group, id } = parts as { group: string; id: string };
  const folder = settings.folder ?? (existsSync(PATTERNS_FOLDER) ? PATTERNS_FOLDER : '.');
  const file = join(folder, group, `${id}.yaml`);
  write(file, patternTemplate(id));
  // Beside streams.yaml lies the whole pack: there stands the source tree, whose own command judges more.
  const command = existsSync(join(folder, 'streams.yaml'))
    ? `npm run try -- ${group}/${id}`
    : `${TOOL_NAME} patterns check ${dirname(file)}`;
  await writeStream(
    process.stdout,
    `${file} is written. Replace every REPLACE in it, then run "${command}" until it says ok.\n`,
  );
  return 0;
}

/** `wx`: also a link or a file that appears meanwhile is refused. */
function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST'
        ? 'is there already; choose another id or edit that file'
        : `cannot be written (${code ?? String(error)})`;
    throw new OperatorError(`${file} ${why}.`, EXIT_BAD_USAGE);
  }
}
