// Makes sure that a followed journal is not followed blindly: compares, from time to time and before the last word, the newest
// entry that there is with the last one that was taken. Has the follower start anew, or says what it cannot know.
import { setTimeout as wait } from 'node:timers/promises';
import { type Host, HostError } from '../../host/host.ts';
import type { SourceCode } from '../codes.ts';
import { type Cursor, cursorAt, isUpTo } from './journal-cursor.ts';
import { JournalTail } from './journal-tail.ts';
import { journaldState } from './journald-alive.ts';
import { complaintsOf, type Journalctl, lastEntry } from './journalctl.ts';

export interface Watched {
  readonly host: Host;
  readonly journalctl: Journalctl;
  /** The last entry that was taken. */
  readonly last: () => Cursor | null;
  /** Has journalctl started anew from there. */
  readonly restart: () => void;
  readonly note: (code: SourceCode, detail: string) => void;
}

export const JOURNAL_FOLDERS = ['/run/log/journal', '/var/log/journal'];
const EVERY_MS = 20_000;
const ANSWER_LIMIT_MS = 5_000;
/** What was just logged is on its way for so long. */
const ON_ITS_WAY_MS = 2_000;
const LOOK_AGAIN_MS = 50;
/** systemd starts a journald that died at once. */
const JOURNALD_BACK_MS = 2_000;

export class JournalWatchdog {
  readonly #watched: Watched;
  #folders = '';
  #running: Promise<void> | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** A journalctl starts now, and sees the folders as they are. */
  async began(): Promise<void> {
    this.#folders = await this.#identities();
  }

  /** Until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await wait(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.check(signal);
    }
  }

  /** Resolves once all that the journal holds has been taken, or it was noted that this is not so. */
  check(signal: AbortSignal): Promise<void> {
    return (this.#running ??= this.#check(signal).finally(() => (this.#running = null)));
  }

  async #check(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#compare(signal), this.#checkJournald(signal)]);
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const { last, restart } = this.#watched;
    const before = last();
    const isElsewhere = (await this.#identities()) !== this.#folders;
    if (!isElsewhere && (await this.#isNewestByFile())) return;
    const newest = await this.#newest(signal);
    if (newest === null || signal.aborted) return;
    if (before !== null && !isUpTo(before, newest)) return this.#blind('its newest entries are gone');
    // The old journalctl goes on with the files that it has open, and never hears of the others.
    if (isElsewhere) restart();
    if (await this.#hasTaken(newest, signal)) return;
    if (!isElsewhere) restart();
    if (isElsewhere || !(await this.#hasTaken(newest, signal)))
      this.#blind('journalctl gives nothing new when it follows');
  }

  /** The file's own word; it is no proof where several are written, or none can be read. */
  async #isNewestByFile(): Promise<boolean> {
    const tail = new JournalTail(this.#watched.host);
    const found = await tail.read();
    await tail.close();
    const last = this.#watched.last();
    return found !== null && last !== null && found.sequence === last.sequence && found.number <= last.number;
  }

  /** Null if it cannot be told; that is noted. */
  async #newest(signal: AbortSignal): Promise<Cursor | null> {
    try {
      const { entry, end } = await lastEntry(this.#watched.journalctl, ['-b', '0'], ANSWER_LIMIT_MS);
      const newest = cursorAt(entry, 0);
      if (newest !== null || signal.aborted) return newest;
      const { ignored, other } = complaintsOf(end);
      if (end.endedBy === 'time-limit') this.#blind(`journalctl did not answer within ${ANSWER_LIMIT_MS / 1_000} s`);
      else
        this.#blind(
          `journalctl shows no entry of this boot: ${ignored[0]?.why ?? (other || `exit code ${end.exitCode}`)}`,
        );
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      this.#watched.note(error.code, error.detail);
    }
    return null;
  }

  async #hasTaken(newest: Cursor, signal: AbortSignal): Promise<boolean> {
    for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
      const last = this.#watched.last();
      if (last !== null && isUpTo(newest, last)) return true;
      if (waitedMs >= ON_ITS_WAY_MS || signal.aborted) return false;
      await wait(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #checkJournald(signal: AbortSignal): Promise<void> {
    const { host, note } = this.#watched;
    if ((await journaldState(host)) !== 'stopped') return;
    await wait(JOURNALD_BACK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted && (await journaldState(host)) === 'stopped') note('journald-stopped', '');
  }

  #blind(why: string): void {
    this.#watched.note('journal-blind', why);
  }

  async #identities(): Promise<string> {
    return (await Promise.all(JOURNAL_FOLDERS.map((path) => identityOf(this.#watched.host, path)))).join(' ');
  }
}

async function identityOf(host: Host, path: string): Promise<string> {
  try {
    return await host.identityOf(path);
  } catch (error) {
    if (error instanceof HostError) return error.code;
    throw error;
  }
}
