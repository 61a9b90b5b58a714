// Reads what one captured node left and judges it.
import { diagnose } from '../diagnosis/diagnose.ts';
import { collectInputs } from '../sources/capture/collect-inputs.ts';
import type { SmallEngine } from '../host/processes/engine-limits.ts';
import { withoutContext } from '../lib/without-context.ts';
import type { RedactedVerdict } from '../types.ts';
import { VERSION } from '../version.ts';
import type { CommandContext } from './command-context.ts';
import type { LoadedPack } from './pack.ts';
import { nothingRead, redactFor } from './print-verdict.ts';
import { createProgress } from './progress.ts';
import { readInputs } from './read-inputs.ts';

/** `engine`: to be told how much there is to read. */
export type CaptureContext = CommandContext & { readonly engine: SmallEngine };

/** The paths together are one node. @throws OperatorError if there is nothing to judge; the signal's reason if it is aborted */
export async function judgeCapture(
  paths: readonly string[],
  { pack, notChecked }: LoadedPack,
  context: CaptureContext,
): Promise<RedactedVerdict> {
  const { signal, settings, process, engine } = context;
  const host = context.doors.files();
  const collected = await collectInputs(paths, {
    host,
    table: pack.streamTable,
    signal,
    onUnpacked: (bytes) => engine.reached(bytes),
  });
  try {
    const nowMs = host.clock.wallMs();
    const progress = (totalBytes: number) => createProgress(process.stderr, totalBytes, settings.quiet);
    const { result, bytes } = await readInputs({ pack, collected, notChecked, nowMs, signal, engine, progress });
    if (bytes === 0) throw nothingRead(paths, result.notChecked);
    const how = { nowMs: null, uptimeSeconds: null, version: VERSION, sequence: 0, final: true };
    const verdict = diagnose(pack, result, [], how);
    // A text shows no lines beside its proofs: to redact them takes 5 ms.
    const evidence = settings.format === 'text' ? withoutContext(verdict.evidence) : verdict.evidence;
    return redactFor({ ...verdict, evidence }, context);
  } finally {
    await collected.cleanup();
  }
}
