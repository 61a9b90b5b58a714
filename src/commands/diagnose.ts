// `diagnose`: a verdict from the machine that the tool runs on, or from a root file system that is mounted there.
import { diagnose } from '../diagnosis/diagnose.ts';
import { EXIT_NOTHING_READ } from '../exit-codes.ts';
import { createHost } from '../host/create-host.ts';
import { type Host, HostError } from '../host/host.ts';
import { OperatorError } from '../operator-error.ts';
import type { CommandContext } from '../run.ts';
import { OPERATOR_FOLDER, OPERATOR_UID } from '../signatures/operator-folder.ts';
import { collectLiveInputs } from '../sources/collect-live-inputs.ts';
import type { NotChecked } from '../types.ts';
import { VERSION } from '../version.ts';
import { deliver, nothingRead, REASONS } from './deliver.ts';
import { loadPack } from './pack.ts';
import { createProgress } from './progress.ts';
import { readInputs } from './read-inputs.ts';

const ONLY_LIVE = ['kernel', 'processes', 'clock', 'network'];

export async function diagnoseNode(context: CommandContext): Promise<number> {
  const { signal, settings, process } = context;
  const host = openHost(settings.root);
  const { pack, notChecked } = await loadPack(OPERATOR_FOLDER, OPERATOR_UID);
  const live = await host.isRootOfThisBoot();
  const offline: NotChecked[] = live ? [] : ONLY_LIVE.map((what) => ({ what, code: 'offline-root', detail: '' }));
  const collected = await collectLiveInputs(host, pack.streamTable, { signal });
  try {
    const progress = (totalBytes: number) => createProgress(process.stderr, totalBytes, settings.quiet);
    const nowMs = host.clock.wallMs();
    const { result, bytes } = await readInputs({ pack, collected, notChecked: [...offline, ...notChecked], nowMs, signal, progress });
    const tried = ['the journal', ...pack.streamTable.streams.flatMap((stream) => stream.liveFiles)];
    if (bytes === 0) throw nothingRead(tried, result.notChecked.slice(offline.length));
    const verdict = diagnose(pack, result, [], {
      nowMs: live ? host.clock.wallMs() : null,
      uptimeSeconds: live ? Math.round(host.clock.monotonicMs() / 1000) : null,
      version: VERSION,
      sequence: 0,
      final: false,
    });
    return await deliver(verdict, pack, context);
  } finally {
    await collected.cleanup();
  }
}

function openHost(root: string | null): Host {
  try {
    return createHost(root === null ? {} : { root });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new OperatorError(`--root ${root} cannot be read. ${REASONS[error.code] ?? error.code}`, EXIT_NOTHING_READ);
  }
}
