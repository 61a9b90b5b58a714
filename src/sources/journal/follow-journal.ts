// Follows the journal of this boot from its beginning through a journalctl that is started again whenever it ends; the boot
// before is read first. Hands on whole entries and knows nothing of what they say.
import { setTimeout as wait } from 'node:timers/promises';
import { type Child, type Host, HostError } from '../../host/host.ts';
import type { SourceCode, SourceNote } from '../codes.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { type Cursor, cursorAt, isUpTo } from './journal-cursor.ts';
import { journalEntries } from './journal-entries.ts';
import type { Framed } from './journal-framer.ts';
import { JournalLosses } from './journal-losses.ts';
import { JournalPlace } from './journal-position.ts';
import { feelPulse } from './journal-pulse.ts';
import { readJournal } from './journal-reading.ts';
import { JOURNAL_FOLDERS, JournalWatchdog } from './journal-watchdog.ts';
import { complaintsOf, findJournalctl, type Journalctl, lastEntry } from './journalctl.ts';
import type { Following, LiveEvents, LiveSink, LiveSource } from '../live.ts';

const THIS_BOOT: LiveSource = { name: 'journal', path: '/journal.export', stream: null, exported: true };
const BOOT_BEFORE: LiveSource = {
  name: 'journal of the boot before',
  path: '/journal-previous.export',
  stream: null,
  exported: true,
};
const PREVIOUS_ENTRIES = 5_000;
const PREVIOUS_TIME_MS = 3_000;
const LAST_ENTRY_TIME_MS = 3_000;
/** Where journald listens; without it there is none. */
const JOURNALD = '/run/systemd/journal/socket';
const FOLDER_POLL_MS = 1_000;
const BACK_OFF_MIN_MS = 100;
const BACK_OFF_MAX_MS = 10_000;
/** journalctl that ran for this long ran well. */
const RAN_WELL_MS = 10_000;
/** Without anything new for this long, what existed at the start has come. */
const QUIET_MS = 3_000;
/** Different ways in which it ended that are noted. */
const ENDINGS_MAX = 4;

/** Null for a root that is not this machine's own, and if there is no journald or no journalctl here, which is noted. */
export async function followJournal(
  host: Host,
  events: LiveEvents,
  { signal }: { readonly signal: AbortSignal },
): Promise<Following | null> {
  if (host.root !== null) return null;
  const refuse = (code: SourceCode, detail: string): null => {
    events.note({ what: THIS_BOOT.name, code, detail });
    return null;
  };
  if (!(await isThere(host, JOURNALD))) return refuse('journal-missing', '');
  try {
    const journalctl = await findJournalctl(host, signal);
    const follower = new Follower(host, journalctl, events, signal);
    return { caughtUp: follower.caughtUp, ended: follower.run(), upToDate: (until) => follower.upToDate(until) };
  } catch (error) {
    if (error instanceof HostError) return refuse(error.code, error.detail);
    throw error;
  }
}

class Follower {
  readonly #host: Host;
  readonly #journalctl: Journalctl;
  readonly #events: LiveEvents;
  readonly #signal: AbortSignal;
  readonly #losses = new JournalLosses(THIS_BOOT.name, true);
  readonly #place = new JournalPlace();
  readonly #noted = new Map<string, string>();
  readonly #endings = new Set<string>();
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #watchdog: JournalWatchdog;
  #child: Child | null = null;
  /** True if the child was ended so that another one begins. */
  #isRenewed = false;
  /** The last entry that existed at the start. */
  #goal: Cursor | null = null;
  #quiet: NodeJS.Timeout | null = null;

  constructor(host: Host, journalctl: Journalctl, events: LiveEvents, signal: AbortSignal) {
    this.#host = host;
    this.#journalctl = journalctl;
    this.#events = events;
    this.#signal = signal;
    this.#watchdog = new JournalWatchdog({
      host,
      journalctl,
      last: () => this.#place.last,
      restart: () => void this.#startAnew(),
      note: (code, detail) => this.#note({ what: THIS_BOOT.name, code, detail }),
    });
  }

  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  async run(): Promise<void> {
    this.#goal = await this.#newest();
    await this.#readPrevious();
    if (this.#goal === null) this.#caughtUp.resolve();
    const sink = this.#events.open(THIS_BOOT);
    this.#quiet = setTimeout(() => this.#caughtUp.resolve(), QUIET_MS);
    const beside = [this.#watchdog.watch(this.#signal)];
    if (this.#journalctl.takesNudges) beside.push(this.#feelPulse());
    await this.#follow(sink);
    await Promise.all(beside);
    clearTimeout(this.#quiet);
    sink.close();
    this.#caughtUp.resolve();
  }

  /** Resolves once all that the journal holds has been taken or noted as unknown, or the signal is aborted. */
  upToDate(signal: AbortSignal): Promise<void> {
    return untilAborted(this.#watchdog.check(this.#signal), signal).catch(() => undefined);
  }

  async #feelPulse(): Promise<void> {
    await feelPulse(this.#host, () => this.#child?.nudge?.(), this.#signal);
  }

  async #startAnew(): Promise<void> {
    this.#isRenewed = this.#child !== null;
    await this.#child?.close();
  }

  async #newest(): Promise<Cursor | null> {
    const { entry } = await lastEntry(this.#journalctl, ['-b', '0'], LAST_ENTRY_TIME_MS);
    return cursorAt(entry, 0);
  }

  /** Not there on a first boot, and nothing to note then. */
  async #readPrevious(): Promise<void> {
    const pieces = readJournal({
      journalctl: this.#journalctl,
      args: ['-b', '-1'],
      extent: { of: 'newest', entries: PREVIOUS_ENTRIES },
      timeLimitMs: PREVIOUS_TIME_MS,
      nowMs: () => this.#host.clock.monotonicMs(),
    });
    let sink: LiveSink | null = null;
    try {
      for await (const { entries } of pieces) {
        sink ??= this.#events.open(BOOT_BEFORE);
        sink.push(Buffer.from(entries.bytes));
      }
    } catch (error) {
      this.#refused(error, BOOT_BEFORE);
    }
    sink?.close();
  }

  async #follow(sink: LiveSink): Promise<void> {
    let backOffMs = BACK_OFF_MIN_MS;
    while (!this.#signal.aborted) {
      const startedMs = this.#host.clock.monotonicMs();
      const isRenewed = await this.#readUntilEnd(sink);
      if (isRenewed) continue;
      if (this.#host.clock.monotonicMs() - startedMs >= RAN_WELL_MS) backOffMs = BACK_OFF_MIN_MS;
      await this.#pause(backOffMs, this.#signal);
      backOffMs = Math.min(backOffMs * 2, BACK_OFF_MAX_MS);
    }
  }

  /** True if it was ended because another one will see more. */
  async #readUntilEnd(sink: LiveSink): Promise<boolean> {
    const over = new AbortController();
    try {
      const { last } = this.#place;
      const from = last === null ? [] : [`--cursor=${last.text}`];
      await this.#watchdog.began();
      const child = this.#journalctl.follow(['-b', '0', ...from]);
      this.#child = child;
      this.#isRenewed = false;
      const renewing = this.#renew(over.signal);
      await this.#takeAll(child, sink);
      over.abort();
      const [end] = await Promise.all([child.ended, renewing]);
      if (!this.#isRenewed && !this.#signal.aborted)
        this.#ended(complaintsOf(end).other || `exit code ${end.exitCode}`);
      return this.#isRenewed;
    } catch (error) {
      this.#refused(error, THIS_BOOT);
      return false;
    } finally {
      over.abort();
      this.#child = null;
    }
  }

  async #takeAll(child: Child, sink: LiveSink): Promise<void> {
    let before = this.#place.last;
    for await (const entries of journalEntries(child)) {
      if (before !== null) this.#compare(before, cursorAt(entries.bytes, 0));
      before = null;
      const fresh = this.#place.pass(entries);
      if (fresh !== null) this.#take(fresh, sink);
    }
  }

  /** After a start anew the first entry is the last one that was taken. If that is gone and nothing counts on from it, nobody knows what was behind it. */
  #compare(last: Cursor, first: Cursor | null): void {
    if (first === null || first.sequence === last.sequence || isUpTo(first, last)) return;
    this.#note({ what: THIS_BOOT.name, code: 'journal-gap', detail: 'an unknown number of entries' });
  }

  #take(entries: Framed, sink: LiveSink): void {
    this.#losses.add(entries);
    sink.push(Buffer.from(entries.bytes));
    for (const note of this.#losses.notes()) this.#note(note);
    const { last } = this.#place;
    if (this.#goal !== null && last !== null && isUpTo(this.#goal, last)) this.#caughtUp.resolve();
    this.#quiet?.refresh();
  }

  /** Has another one started once a folder is there that the child does not know of: journald makes one when it is told to keep its journal. */
  async #renew(over: AbortSignal): Promise<void> {
    const missing: string[] = [];
    for (const folder of JOURNAL_FOLDERS) if (!(await isThere(this.#host, folder))) missing.push(folder);
    while (missing.length > 0) {
      await this.#pause(FOLDER_POLL_MS, over);
      if (over.aborted) return;
      for (const folder of missing) if (await isThere(this.#host, folder)) return this.#startAnew();
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await wait(ms, undefined, { signal }).catch(() => {});
  }

  #ended(why: string): void {
    if (this.#endings.size < ENDINGS_MAX) this.#endings.add(why);
    if (this.#endings.has(why)) this.#note({ what: THIS_BOOT.name, code: 'journal-ended', detail: why });
  }

  /** @throws everything that is not a HostError: that is a bug and must be seen. */
  #refused(error: unknown, { name }: LiveSource): void {
    if (!(error instanceof HostError)) throw error;
    this.#note({ what: name, code: error.code, detail: error.detail });
  }

  /** A count that has grown replaces the note that gave a smaller one. */
  #note(note: SourceNote): void {
    const key = `${note.code} ${note.what}`;
    if (this.#noted.get(key) === note.detail) return;
    this.#noted.set(key, note.detail);
    this.#events.note(note);
  }
}

async function isThere(host: Host, path: string): Promise<boolean> {
  try {
    await host.kindOf(path);
    return true;
  } catch (error) {
    if (error instanceof HostError) return false;
    throw error;
  }
}
