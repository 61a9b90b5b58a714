// Follows log files for as long as they are written, also those that appear later. Decides when to look; what to look at and
// how to read it is left to the search and to the files themselves.
import type { Host } from '../../host/host.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import type { StreamTable } from '../../types.ts';
import { FileSearch } from './file-discovery.ts';
import type { Following, LiveEvents } from '../live.ts';

/** The kernel does not tell of every change, e.g. not of those made below an overlay or by another machine. */
const CHECK_MS = 15_000;
/** Where the kernel gives out no more watches. */
const POLL_MS = 1_000;
/** Between two searches, however many names come and go. */
const SEARCH_GAP_MS = 5;
const SEARCH_GAP_MAX_MS = 1_000;
/** Searches may take one part in so many of the time. */
const SEARCH_SHARE = 3;

/**
 * Pushes every line once, whoever renames the files; a line is lost only if its file is emptied before it could be read. Globs and paths
 * are as seen from inside the host's root. Rotated files are read only if they lost one of the paths while it was followed.
 */
export function followFiles(
  host: Host,
  table: StreamTable,
  globs: readonly string[],
  events: LiveEvents,
  { signal }: { readonly signal: AbortSignal },
): Following {
  const caughtUp = Promise.withResolvers<void>();
  const pause = new Pause(signal);
  const search = new FileSearch(host, table, globs, events, () => pause.ring());
  return {
    caughtUp: caughtUp.promise,
    ended: keepLooking(host, search, pause, signal, caughtUp.resolve),
    upToDate: (until) => untilAborted(search.settle(), until).catch(() => undefined),
  };
}

async function keepLooking(
  host: Host,
  search: FileSearch,
  pause: Pause,
  signal: AbortSignal,
  onCaughtUp: () => void,
): Promise<void> {
  const nowMs = (): number => host.clock.monotonicMs();
  let checkedMs = nowMs();
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const startedMs = nowMs();
    pause.forget();
    await search.run();
    if (isFirst) void search.readOut().then(onCaughtUp);
    const gapMs = (nowMs() - startedMs) * (SEARCH_SHARE - 1);
    await pause.rest(Math.min(Math.max(SEARCH_GAP_MS, gapMs), SEARCH_GAP_MAX_MS));
    await pause.untilRung(search.isToldOfAll ? CHECK_MS : POLL_MS);
    if (nowMs() - checkedMs < POLL_MS) continue;
    checkedMs = nowMs();
    search.lookAtAll();
  }
  await search.end();
  onCaughtUp();
}

/** Waits until a time has passed, something rings, or the signal is aborted. */
class Pause {
  readonly #signal: AbortSignal;
  #hasRung = false;
  #resume: (() => void) | null = null;
  #waitsForRing = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#resume?.(), { once: true });
  }

  ring(): void {
    this.#hasRung = true;
    if (this.#waitsForRing) this.#resume?.();
  }

  forget(): void {
    this.#hasRung = false;
  }

  rest(ms: number): Promise<void> {
    this.#waitsForRing = false;
    return this.#wait(ms);
  }

  async untilRung(limitMs: number): Promise<void> {
    this.#waitsForRing = true;
    if (!this.#hasRung) await this.#wait(limitMs);
  }

  async #wait(ms: number): Promise<void> {
    if (this.#signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#resume = resolve;
    await promise;
    clearTimeout(timer);
    this.#resume = null;
  }
}
