// Reads a journal through journalctl within a time limit: all of it, its beginning and its newest entries, or only those.
// Judges nothing.
import type { Child, ChildEnd } from '../../host/host.ts';
import { type Cursor, cursorAt } from './journal-cursor.ts';
import { journalEntries } from './journal-entries.ts';
import type { Framed } from './journal-framer.ts';
import { JournalPlace } from './journal-position.ts';
import type { Journalctl } from './journalctl.ts';

/** How much is read. all: what the time limit allows; ends: then also its newest; newest: nothing else. */
export type Extent = { readonly of: 'all' } | { readonly of: 'ends' | 'newest'; readonly entries: number };

/** Kept of the time limit for the newest entries: 20,000 of them took 0.2 s, and up to 1 s on busy cores. */
const NEWEST_TIME_MS = 1_300;
const SHORTEST_TIME_MS = 500;

export interface ReadingRequest {
  readonly journalctl: Pick<Journalctl, 'read'>;
  readonly args: readonly string[];
  readonly extent: Extent;
  /** From now. */
  readonly timeLimitMs: number;
  readonly nowMs: () => number;
}

export interface Piece {
  readonly entries: Framed;
  /** What was left out before it, null if nothing was. */
  readonly skipped: Skipped | null;
}

export interface Skipped {
  /** Null where the two ends do not count alike. */
  readonly entries: number | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns how journalctl ended, the last one. @throws HostError */
export async function* readJournal(request: ReadingRequest): AsyncGenerator<Piece, ChildEnd> {
  const { extent, timeLimitMs, nowMs } = request;
  const endMs = nowMs() + timeLimitMs;
  const child = start(
    request,
    extent.of === 'ends' ? timeLimitMs - NEWEST_TIME_MS : timeLimitMs,
    extent.of === 'newest',
  );
  const place = new JournalPlace();
  for await (const entries of journalEntries(child)) {
    const fresh = place.pass(entries);
    if (fresh !== null) yield { entries: fresh, skipped: null };
  }
  const end = await child.ended;
  if (extent.of !== 'ends' || end.endedBy !== 'time-limit') return end;
  const newest = start(request, endMs - nowMs(), true);
  let last = place.last;
  for await (const entries of journalEntries(newest)) {
    const fresh = place.pass(entries);
    if (fresh === null) continue;
    yield { entries: fresh, skipped: last === null ? null : between(last, cursorAt(fresh.bytes, 0)) };
    last = null;
  }
  return newest.ended;
}

function start({ journalctl, args, extent }: ReadingRequest, timeLimitMs: number, isNewest: boolean): Child {
  const narrowed = isNewest && extent.of !== 'all' ? [...args, '-n', String(extent.entries)] : args;
  return journalctl.read(narrowed, Math.max(SHORTEST_TIME_MS, timeLimitMs));
}

function between(last: Cursor, next: Cursor | null): Skipped | null {
  if (next === null) return null;
  const isOneSequence = next.sequence === last.sequence;
  if (isOneSequence && next.number === last.number + 1) return null;
  return {
    entries: isOneSequence ? next.number - last.number - 1 : null,
    fromMs: Math.round(last.realtimeUs / 1000),
    toMs: Math.round(next.realtimeUs / 1000),
  };
}
