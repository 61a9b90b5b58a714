// Follows all that a booting node writes: its journal and log files, or without a journal the syslog files in its place.
import type { Host } from '../../host/host.ts';
import { SYSLOG_FILES } from '../../sources/collect-live-inputs.ts';
import { followFiles } from '../../sources/follow/follow-files.ts';
import { followJournal } from '../../sources/journal/follow-journal.ts';
import type { Following, LiveEvents } from '../../sources/live.ts';
import type { StreamTable } from '../../types.ts';

export async function followBoot(
  host: Host,
  table: StreamTable,
  events: LiveEvents,
  signal: AbortSignal,
): Promise<Following> {
  const journal = await followJournal(host, events, { signal });
  const globs = [...(journal === null ? SYSLOG_FILES : []), ...table.streams.flatMap((stream) => stream.liveFiles)];
  const all = [...(journal === null ? [] : [journal]), followFiles(host, table, globs, events, { signal })];
  const both = async (of: (one: Following) => Promise<void>): Promise<void> => void (await Promise.all(all.map(of)));
  return {
    caughtUp: both(({ caughtUp }) => caughtUp),
    ended: both(({ ended }) => ended),
    upToDate: async (limit) => both((one) => one.upToDate(limit)),
  };
}
