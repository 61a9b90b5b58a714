import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHost } from '../../../src/host/create-host.ts';
import { type Child, type ChildEnd, type Host, HostError } from '../../../src/host/host.ts';
import { bytesSource } from '../../../src/sources/capture/peek.ts';
import { type Cursor, cursorAt } from '../../../src/sources/journal/journal-cursor.ts';
import { JournalWatchdog } from '../../../src/sources/journal/journal-watchdog.ts';
import { entries } from '../export-entries.ts';

const OTHER = { sequence: 'f'.repeat(32) };

interface Scene {
  /** The last entry that was taken, and what a start anew makes of it. */
  readonly last: Cursor | null;
  readonly afterRestart?: Cursor;
  /** What journalctl says is the newest. */
  readonly newest: Buffer | HostError;
  readonly end?: Partial<ChildEnd>;
  /** Identities of the folders: when journalctl began, and now. */
  readonly folders?: readonly [string, string];
  /** Text of files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What was done and noted, in its order. */
async function play({
  last,
  afterRestart,
  newest,
  end = {},
  folders = ['1:2', '1:2'],
  files = {},
}: Scene): Promise<string[]> {
  const story: string[] = [];
  let at = last;
  let isBegun = false;
  const child = (): Child => {
    if (newest instanceof HostError) throw newest;
    return {
      ...bytesSource(newest),
      ended: Promise.resolve({ exitCode: 0, endedBy: null, stderr: '', ...end }),
      close: async () => {},
    };
  };
  const host: Host = {
    ...createHost(),
    identityOf: async () => folders[isBegun ? 1 : 0],
    expandGlob: async () => [],
    async openFile(path) {
      const text = files[path];
      if (text === undefined) throw new HostError('missing', path);
      const source = bytesSource(Buffer.from(text));
      return { ...source, sizeBytes: 0, allocatedBytes: 0, mtimeMs: 0, readAt: async () => 0 };
    },
  };
  const watchdog = new JournalWatchdog({
    host,
    journalctl: { version: 252, takesNudges: true, read: child, follow: child },
    last: () => at,
    restart() {
      story.push('restart');
      at = afterRestart ?? at;
    },
    note: (code, detail) => void story.push(`${code} ${detail}`.trimEnd()),
  });
  await watchdog.began();
  isBegun = true;
  await watchdog.check(new AbortController().signal);
  return story;
}

const entry = (number: number, fields = {}): Buffer => entries(number, number, fields);
const cursor = (number: number, fields = {}): Cursor => cursorAt(entry(number, fields), 0)!;

test('nothing is said of a journal whose newest entry was taken', async () => {
  assert.deepEqual(await play({ last: cursor(7), newest: entry(7) }), []);
});

test('a follower that stays behind is started anew, and that is noted only if it does not help', async () => {
  assert.deepEqual(await play({ last: cursor(7), newest: entry(9), afterRestart: cursor(9) }), ['restart']);
  assert.deepEqual(await play({ last: cursor(7), newest: entry(9) }), [
    'restart',
    'journal-blind journalctl gives nothing new when it follows',
  ]);
  assert.deepEqual(await play({ last: null, newest: entry(9), afterRestart: cursor(9) }), ['restart']);
});

test('so is one whose folders are others by now, though nothing came since', async () => {
  assert.deepEqual(await play({ last: cursor(7), newest: entry(7), folders: ['1:2', '1:3'] }), ['restart']);
});

test('where the newest entries or all of this boot are gone that is noted, and nothing else would help', async () => {
  assert.deepEqual(await play({ last: cursor(7), newest: entry(5), folders: ['1:2', '9:2'] }), [
    'journal-blind its newest entries are gone',
  ]);
  const none = {
    exitCode: 1,
    stderr: 'Data from the specified boot (+0) is not available: No such boot ID in journal\n',
  };
  assert.deepEqual(await play({ last: cursor(7), newest: Buffer.alloc(0), end: none }), [
    'journal-blind journalctl shows no entry of this boot: Data from the specified boot (+0) is not available: No such boot ID in journal',
  ]);
  assert.deepEqual(await play({ last: cursor(7), newest: entry(3, { ...OTHER, monotonicUs: 1 }) }), [
    'journal-blind its newest entries are gone',
  ]);
});

test('a journalctl that hangs, is too old, or was taken away', async () => {
  assert.deepEqual(
    await play({ last: cursor(7), newest: Buffer.alloc(0), end: { exitCode: null, endedBy: 'time-limit' } }),
    ['journal-blind journalctl did not answer within 5 s'],
  );
  const old = {
    stderr: 'Journal file /var/log/journal/x/system.journal uses an unsupported feature, ignoring file.\n',
  };
  assert.deepEqual(await play({ last: null, newest: Buffer.alloc(0), end: old }), [
    'journal-blind journalctl shows no entry of this boot: uses an unsupported feature',
  ]);
  assert.deepEqual(await play({ last: cursor(7), newest: new HostError('command-missing', 'journalctl') }), [
    'command-missing journalctl',
  ]);
});

test('journald itself, by its control group', async () => {
  const slice = '/sys/fs/cgroup/system.slice';
  const group = `${slice}/systemd-journald.service/cgroup.procs`;
  const seen = { last: cursor(7), newest: entry(7) };
  const played = (files: Readonly<Record<string, string>>): Promise<string[]> => play({ ...seen, files });
  assert.deepEqual(
    await played({ [`${slice}/cgroup.procs`]: '', [group]: '77\n', '/proc/77/stat': '77 (systemd-journal) S 1 77 ' }),
    [],
  );
  const stories = await Promise.all([
    played({ [`${slice}/cgroup.procs`]: '' }),
    played({ [`${slice}/cgroup.procs`]: '', [group]: '' }),
    played({ [`${slice}/cgroup.procs`]: '', [group]: '77\n', '/proc/77/stat': '77 (a) b) T 1 77 ' }),
  ]);
  assert.deepEqual(stories, [['journald-stopped'], ['journald-stopped'], ['journald-stopped']]);
});
