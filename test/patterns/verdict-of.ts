// Analyzes a captured node in this process, as `analyze FOLDER` does, without words and colours.
import { join } from 'node:path';
import { ROOT } from '../../build/project.ts';
import { readInputs } from '../../src/commands/read-inputs.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { createHost } from '../../src/host/create-host.ts';
import { compilePack } from '../../src/signatures/compile.ts';
import { loadFolder } from '../../src/signatures/load-folder.ts';
import { collectInputs } from '../../src/sources/capture/collect-inputs.ts';
import type { MatchResult, Pack, ProbeResult, Verdict } from '../../src/types.ts';

export function readPack(): Pack {
  return compilePack(loadFolder(join(ROOT, 'patterns')));
}

const QUIET = { at: () => {}, end: () => {} };

export async function matchesOf(pack: Pack, folder: string): Promise<MatchResult> {
  const signal = AbortSignal.timeout(60_000);
  const host = createHost();
  const collected = await collectInputs([folder], { host, table: pack.streamTable, signal });
  try {
    const engine = { reached: () => undefined };
    const nowMs = host.clock.wallMs();
    const request = { pack, collected, notChecked: [], nowMs, signal, engine, progress: () => QUIET };
    return (await readInputs(request)).result;
  } finally {
    await collected.cleanup();
  }
}

export function judge(pack: Pack, result: MatchResult, probes: readonly ProbeResult[] = []): Verdict {
  return diagnose(pack, result, probes, {
    nowMs: null,
    uptimeSeconds: null,
    version: '0.0.0',
    sequence: 0,
    final: true,
  });
}
