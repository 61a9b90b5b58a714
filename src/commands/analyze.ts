// `analyze PATH…`: a verdict from what was saved elsewhere.
import { exitCodeOf } from '../exit-codes.ts';
import { keepYoungSmall, startShort } from '../host/processes/engine-limits.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import type { CommandContext } from './command-context.ts';
import { judgeCapture } from './judge-capture.ts';
import { loadPack } from './pack.ts';
import { printVerdict } from './print-verdict.ts';

export async function analyze(context: CommandContext): Promise<number> {
  // Space that the search for files has filled once is kept for good: with 60,000 of them 40 MB.
  keepYoungSmall();
  const engine = startShort();
  const loaded = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  if (context.settings.each)
    return (await import('./each/analyze-each.ts')).analyzeEach(loaded, { ...context, engine });
  const verdict = await judgeCapture(context.operands, loaded, { ...context, engine });
  await printVerdict(verdict, { pack: loaded.pack, context });
  return exitCodeOf(verdict.status);
}
