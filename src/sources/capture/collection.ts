// What one collecting run shares: the host, the rules, the limits, the notes, and a private folder that is made when needed.
import type { Host, PrivateFolder } from '../../host/host.ts';
import type { StreamTable } from '../../types.ts';
import { Budget } from './budget.ts';
import { type CollectLimits, type CollectOptions, DEFAULT_LIMITS } from '../input.ts';
import { Notes } from '../notes.ts';

export interface Run {
  readonly host: Host;
  readonly table: StreamTable;
  readonly limits: CollectLimits;
  readonly budget: Budget;
  readonly notes: Notes;
  readonly signal: AbortSignal | undefined;
  folder(): PrivateFolder;
  cleanup(): Promise<void>;
}

/** `affordableBytes`: what the disk can spare. */
export function newRun({ host, table, limits, signal, onUnpacked }: CollectOptions, affordableBytes = Infinity): Run {
  const given = { ...DEFAULT_LIMITS, ...limits };
  const all = { ...given, unpackedBytes: Math.min(given.unpackedBytes, affordableBytes) };
  let folder: PrivateFolder | null = null;
  return {
    host,
    table,
    limits: all,
    budget: new Budget(all, onUnpacked),
    notes: new Notes(),
    signal,
    folder: () => (folder ??= host.openPrivateFolder()),
    async cleanup() {
      folder?.remove();
      folder = null;
    },
  };
}
