// Runs containerd's own client, and says why that could not be. Only its listing commands.
import type { System } from '../../host/system.ts';

export type CtrAnswer =
  | { readonly kind: 'said'; readonly output: string }
  | { readonly kind: 'no-client' | 'not-running' };

/** Also what is not listening: ctr itself tries until this time is over. */
const CONNECT_LIMIT = '1s';

/** @throws the signal's reason */
export async function askCtr(system: System, args: readonly string[], signal: AbortSignal): Promise<CtrAnswer> {
  const output = await system.runTool('ctr', ['--connect-timeout', CONNECT_LIMIT, ...args], signal);
  if (output === null) return { kind: 'no-client' };
  return output.exitCode === 0 ? { kind: 'said', output: output.stdout } : { kind: 'not-running' };
}

/** Both are for the table of a probe. */
export const CTR_ANSWERS = {
  'no-client': { outcome: 'skipped', sentence: 'Not asked: ctr is not installed here.' },
  'not-running': { outcome: 'skipped', sentence: 'Not asked: containerd does not answer.' },
} as const;
