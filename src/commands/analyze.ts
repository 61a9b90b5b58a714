// `analyze PATH…`: a verdict from what was saved elsewhere.
import { diagnose } from '../diagnosis/diagnose.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { keepYoungSmall, startShort } from '../host/processes/engine-limits.ts';
import type { CommandContext } from './command-context.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { collectInputs } from '../sources/capture/collect-inputs.ts';
import { VERSION } from '../version.ts';
import { loadPack } from './pack.ts';
import { createProgress } from './progress.ts';
import { readInputs } from './read-inputs.ts';
import { nothingRead, printVerdict, redactFor } from './print-verdict.ts';

export async function analyze(context: CommandContext): Promise<number> {
  const { operands, signal, settings, process } = context;
  const engine = startShort(keepYoungSmall);
  const host = context.doors.files();
  const { pack, notChecked } = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  const collected = await collectInputs(operands, { host, table: pack.streamTable, signal });
  try {
    const nowMs = host.clock.wallMs();
    const progress = (totalBytes: number) => createProgress(process.stderr, totalBytes, settings.quiet);
    const { result, bytes } = await readInputs({ pack, collected, notChecked, nowMs, signal, engine, progress });
    if (bytes === 0) throw nothingRead(operands, result.notChecked);
    const verdict = diagnose(pack, result, [], {
      nowMs: null,
      uptimeSeconds: null,
      version: VERSION,
      sequence: 0,
      final: true,
    });
    await printVerdict(redactFor(verdict, context), { pack, context });
    return exitCodeOf(verdict.status);
  } finally {
    await collected.cleanup();
  }
}
