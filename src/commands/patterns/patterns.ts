// `patterns list`, `patterns show ID` and `patterns check [DIR]`: read the pack, and judge the files of an operator.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_BAD_USAGE } from '../../exit-codes.ts';
import { nearest } from '../../nearest.ts';
import { OperatorError } from '../../operator-error.ts';
import { TOOL_NAME } from '../../options.ts';
import { renderPattern, renderPatternJson, renderPatternList, renderPatternListJson } from '../../render/patterns.ts';
import type { CommandContext } from '../command-context.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../../signatures/operator-folder.ts';
import { writeStream } from '../../sinks/local/stream.ts';
import { loadPack } from '../pack.ts';

export async function listPatterns({ settings, process }: CommandContext): Promise<number> {
  const { causes } = await ownPack();
  await writeStream(
    process.stdout,
    settings.format === 'json' ? renderPatternListJson(causes) : renderPatternList(causes),
  );
  return 0;
}

export async function showPattern({ settings, process, operands }: CommandContext): Promise<number> {
  const { causes } = await ownPack();
  const id = operands[0]!;
  const cause = causes.find((known) => known.id === id);
  if (cause === undefined) {
    const close = nearest(
      id,
      causes.map((known) => known.id),
    );
    const advice = close === null ? `"${TOOL_NAME} patterns list" shows all.` : `Did you mean ${close}?`;
    throw new OperatorError(`There is no cause "${id}". ${advice}`, EXIT_BAD_USAGE);
  }
  await writeStream(process.stdout, settings.format === 'json' ? renderPatternJson(cause) : renderPattern(cause));
  return 0;
}

export async function checkPatterns({ settings, process, operands }: CommandContext): Promise<number> {
  const [folder] = operands;
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new OperatorError(`${folder} is not a folder.`, EXIT_BAD_USAGE);
  const { checkOperatorFolder, checkPackFolder } = await import('./check-folder.ts');
  const whole = folder !== undefined && existsSync(join(folder, 'streams.yaml'));
  const report = whole
    ? checkPackFolder(folder)
    : await checkOperatorFolder(folder ?? OPERATOR_FOLDER, folder === undefined ? OPERATOR_UID : null);
  const text =
    settings.format === 'json' ? JSON.stringify(report, null, 2) : [...report.complaints, report.summary].join('\n');
  await writeStream(process.stdout, `${text}\n`);
  return report.complaints.length === 0 ? 0 : EXIT_BAD_USAGE;
}

async function ownPack(): Promise<Awaited<ReturnType<typeof loadPack>>['pack']> {
  return (await loadPack(OPERATOR_FOLDER, OPERATOR_UID)).pack;
}
