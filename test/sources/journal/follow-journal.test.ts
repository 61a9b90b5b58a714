import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createHost } from '../../../src/host/create-host.ts';
import { type Child, type ChildEnd, type ChildRequest, type Host, HostError } from '../../../src/host/host.ts';
import type { SourceNote } from '../../../src/sources/codes.ts';
import { followJournal } from '../../../src/sources/journal/follow-journal.ts';
import type { Following, LiveEvents } from '../../../src/sources/live.ts';
import { bytesSource } from '../../../src/sources/capture/peek.ts';
import { cursorText, entries, messagesIn } from '../export-entries.ts';

/** What was opened, pushed, closed and noted. */
class Heard implements LiveEvents {
  readonly sources: string[] = [];
  readonly messages = new Map<string, number[]>();
  readonly notes: SourceNote[] = [];
  #wake: () => void = () => {};

  open(source: { readonly name: string }): ReturnType<LiveEvents['open']> {
    this.sources.push(`open ${source.name}`);
    const messages: number[] = [];
    this.messages.set(source.name, messages);
    return {
      push: (chunk) => {
        messages.push(...messagesIn(chunk));
        this.#wake();
      },
      close: () => void this.sources.push(`close ${source.name}`),
    };
  }

  note(note: SourceNote): void {
    this.notes.push(note);
    this.#wake();
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}

interface Answer {
  readonly bytes?: Buffer;
  readonly end?: Partial<ChildEnd>;
  /** True: it stays until it is closed or the signal is aborted. */
  readonly stays?: boolean;
}

/** A machine whose journalctl answers by its arguments; `follows` are the answers to those that follow, the last one again and again. */
function machine(follows: readonly Answer[], others: (args: string) => Answer = () => ({})) {
  const calls: string[] = [];
  const waiting = new Set<{ readonly call: number; readonly wake: () => void }>();
  let followed = 0;
  const run = ({ args, signal }: ChildRequest): Child => {
    const text = args.filter((arg) => !/^--(?:output|all|no-pager)/.test(arg)).join(' ');
    calls.push(text);
    for (const one of waiting) if (calls.length >= one.call) one.wake();
    if (text === '--version') return child({ bytes: Buffer.from('systemd 252 (252.4)\n') }, signal);
    return child(text.includes('--follow') ? follows[Math.min(followed++, follows.length - 1)]! : others(text), signal);
  };
  const host: Host = {
    ...createHost(),
    run,
    kindOf: async (path) => ({ path, kind: 'socket', sizeBytes: 0, mtimeMs: 0 }),
  };
  const called = (call: number): Promise<void> =>
    calls.length >= call ? Promise.resolve() : new Promise((wake) => void waiting.add({ call, wake }));
  return { host, calls, called };
}

function child({ bytes = Buffer.alloc(0), end = {}, stays = false }: Answer, signal: AbortSignal | undefined): Child {
  const source = bytesSource(bytes);
  const over = Promise.withResolvers<void>();
  if (!stays) over.resolve();
  signal?.addEventListener('abort', () => over.resolve());
  return {
    async read(into) {
      const got = await source.read(into);
      if (got === 0) await over.promise;
      return got;
    },
    ended: over.promise.then(() => ({ exitCode: 0, endedBy: null, stderr: '', ...end })),
    close: async () => over.resolve(),
  };
}

async function follow(
  t: TestContext,
  host: Host,
): Promise<{ readonly heard: Heard; readonly following: Following; readonly stop: AbortController }> {
  const stop = new AbortController();
  const heard = new Heard();
  const following = await followJournal(host, heard, { signal: stop.signal });
  assert.ok(following !== null);
  t.after(() => stop.abort());
  return { heard, following, stop };
}

const STAYS: Answer = { stays: true };

test('the boot before is read first, then this one from its beginning', async (t) => {
  const { host, calls } = machine([{ bytes: entries(11, 13), stays: true }], (args) => ({
    bytes: args.startsWith('-b -1') ? entries(1, 3) : entries(13, 13),
  }));
  const { heard, following, stop } = await follow(t, host);
  await following.caughtUp;
  assert.deepEqual(Object.fromEntries(heard.messages), {
    'journal of the boot before': [1, 2, 3],
    journal: [11, 12, 13],
  });
  assert.deepEqual(calls, ['--version', '-b 0 -n 1', '-b -1 -n 5000', '--follow --no-tail -b 0']);
  stop.abort();
  await following.ended;
  assert.deepEqual(heard.sources, [
    'open journal of the boot before',
    'close journal of the boot before',
    'open journal',
    'close journal',
  ]);
  assert.deepEqual(heard.notes, []);
});

test('an empty journal has been caught up with at once', async (t) => {
  const { heard, following } = await follow(t, machine([STAYS]).host);
  await following.caughtUp;
  assert.deepEqual(heard.sources, ['open journal']);
});

test('it ends while the boot before is being read', async (t) => {
  const { host, called } = machine([STAYS], (args) => (args.startsWith('-b -1') ? STAYS : {}));
  const { following, stop } = await follow(t, host);
  await called(3);
  stop.abort();
  await Promise.all([following.ended, following.caughtUp]);
});

test('journalctl that ends is started again behind the last entry, and no entry comes twice', async (t) => {
  const { host, calls } = machine([
    {
      bytes: Buffer.concat([entries(1, 4), entries(5, 5).subarray(0, -9)]),
      end: { exitCode: 1, stderr: 'Failed to wait for journal event: Bad message\n' },
    },
    { bytes: entries(4, 8), stays: true },
  ]);
  const { heard } = await follow(t, host);
  await heard.until(() => heard.messages.get('journal')?.at(-1) === 8);
  assert.deepEqual(heard.messages.get('journal'), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(calls.at(-1), `--follow --no-tail -b 0 --cursor=${cursorText({ number: 4 })}`);
  assert.deepEqual(heard.notes, [
    { what: 'journal', code: 'journal-ended', detail: 'Failed to wait for journal event: Bad message' },
  ]);
});

test('entries that were removed meanwhile are counted', async (t) => {
  const { host } = machine([{ bytes: entries(1, 4) }, { bytes: entries(50, 52), stays: true }]);
  const { heard } = await follow(t, host);
  await heard.until(() => heard.messages.get('journal')?.at(-1) === 52);
  assert.deepEqual(heard.notes.at(-1), { what: 'journal', code: 'journal-gap', detail: '45 entries' });
});

test('if nothing is left to count from, the gap has no size', async (t) => {
  const { host } = machine([
    { bytes: entries(1, 4) },
    { bytes: entries(2, 3, { sequence: 'f'.repeat(32), monotonicUs: 90_000_000 }), stays: true },
  ]);
  const { heard } = await follow(t, host);
  await heard.until(() => heard.messages.get('journal')?.length === 6);
  assert.deepEqual(heard.notes.at(-1), {
    what: 'journal',
    code: 'journal-gap',
    detail: 'an unknown number of entries',
  });
});

test('journalctl that ends at once is tried less and less often, and noted once', async (t) => {
  const startedMs = performance.now();
  const { host, called } = machine([{ end: { exitCode: 1, stderr: 'Failed to open files: Bad message\n' } }]);
  const { heard } = await follow(t, host);
  await called(3 + 4);
  const elapsedMs = performance.now() - startedMs;
  assert.ok(elapsedMs >= 690 && elapsedMs < 1_500, `${elapsedMs} ms for 0.1 + 0.2 + 0.4 s`);
  assert.equal(heard.notes.length, 1);
});

test('no journald, no journalctl, a root that is not this machine: null, and the first two are noted', async () => {
  const { host } = machine([STAYS]);
  const signal = new AbortController().signal;
  const events = new Heard();
  const refuse = (code: 'missing' | 'command-missing') => () => {
    throw new HostError(code, 'x');
  };
  for (const without of [
    { kindOf: async () => refuse('missing')() },
    { run: refuse('command-missing') },
    { root: '/mnt' },
  ])
    assert.equal(await followJournal({ ...host, ...without }, events, { signal }), null);
  assert.deepEqual(
    events.notes.map(({ code }) => code),
    ['journal-missing', 'command-missing'],
  );
});
