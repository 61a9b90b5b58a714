// `probes list` and `streams list`: the names that options and pattern files take.
import { PROBES } from '../probes/index.ts';
import { renderTable } from '../render/table.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { writeStream } from '../sinks/local/stream.ts';
import type { CommandContext } from './command-context.ts';
import { loadPack } from './pack.ts';

export async function listProbes(context: CommandContext): Promise<number> {
  const probes = PROBES.map(({ name, stage, isBase = false, answers }) => ({
    name,
    asked: isBase || stage === 'facts' ? 'always' : 'where the logs suggest it',
    answers: Object.entries(answers).map(([code, { outcome, sentence }]) => ({ code, outcome, sentence })),
  }));
  const rows = probes.map(({ name, asked, answers }) => [name, asked, answers.map(({ code }) => code).join(', ')]);
  return print(context, probes, renderTable(['name', 'asked', 'answers'], rows));
}

export async function listStreams(context: CommandContext): Promise<number> {
  const { streams } = (await loadPack(OPERATOR_FOLDER, OPERATOR_UID)).pack.streamTable;
  const rows = streams.map(({ name, title, identifiers, paths }) => [
    name,
    title,
    [...identifiers.map((identifier) => `${identifier.replaceAll('\\', '')}:`), ...paths].join(' '),
  ]);
  return print(context, streams, renderTable(['name', 'log', 'known by'], rows));
}

async function print({ settings, process }: CommandContext, data: unknown, text: string): Promise<number> {
  await writeStream(process.stdout, settings.format === 'json' ? `${JSON.stringify(data, null, 2)}\n` : text);
  return 0;
}
