import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Child, ChildEnd } from '../../../src/host/host.ts';
import { JournalLosses } from '../../../src/sources/journal/journal-losses.ts';
import { type Extent, readJournal } from '../../../src/sources/journal/journal-reading.ts';
import { bytesSource } from '../../../src/sources/capture/peek.ts';
import { entries, messagesIn } from '../export-entries.ts';

interface Answer {
  readonly bytes: Buffer;
  readonly endedBy?: ChildEnd['endedBy'];
  readonly tookMs?: number;
}

const END: ChildEnd = { exitCode: 0, endedBy: null, stderr: '' };

/** Reads from a journalctl that gives one answer after the other. */
async function read(extent: Extent, timeLimitMs: number, answers: readonly Answer[]) {
  let nowMs = 1_000;
  const calls: string[] = [];
  const journalctl = {
    read(args: readonly string[], limitMs: number): Child {
      const { bytes, endedBy = null, tookMs = 0 } = answers[calls.length]!;
      calls.push(`${args.join(' ')}: ${limitMs} ms`);
      nowMs += tookMs;
      return { ...bytesSource(bytes), ended: Promise.resolve({ ...END, endedBy }) };
    },
  };
  const losses = new JournalLosses('journal', true);
  const pieces = readJournal({ journalctl, args: ['-b', '0'], extent, timeLimitMs, nowMs: () => nowMs });
  const messages: number[] = [];
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { messages, calls, notes: losses.notes(), end: next.value };
    losses.add(next.value.entries, next.value.skipped);
    messages.push(...messagesIn(next.value.entries.bytes));
  }
}

const ENDS: Extent = { of: 'ends', entries: 3 };

test('a journal that is read in time is asked for once', async () => {
  const { messages, calls, notes } = await read(ENDS, 6_000, [{ bytes: entries(1, 4) }]);
  assert.deepEqual([messages, calls, notes], [[1, 2, 3, 4], ['-b 0: 4700 ms'], []]);
});

test('of a long one the beginning is read and the newest entries, and the gap has its size', async () => {
  const { messages, calls, notes } = await read(ENDS, 6_000, [
    { bytes: entries(1, 4), endedBy: 'time-limit', tookMs: 4_700 },
    { bytes: entries(98, 100) },
  ]);
  assert.deepEqual(messages, [1, 2, 3, 4, 98, 99, 100]);
  assert.deepEqual(calls, ['-b 0: 4700 ms', '-b 0 -n 3: 1300 ms']);
  assert.deepEqual(notes, [
    {
      what: 'journal',
      code: 'journal-middle-skipped',
      detail: '93 entries, 2023-11-14T22:13:24.000Z to 2023-11-14T22:14:58.000Z',
    },
  ]);
});

test('an entry that is cut off where the time ends is read among the newest, none twice', async () => {
  const { messages, notes } = await read(ENDS, 6_000, [
    { bytes: entries(1, 5).subarray(0, -20), endedBy: 'time-limit' },
    { bytes: entries(3, 7) },
  ]);
  assert.deepEqual([messages, notes], [[1, 2, 3, 4, 5, 6, 7], []]);
});

test('entries missing among the newest are told apart from those left out', async () => {
  const { notes } = await read(ENDS, 6_000, [
    { bytes: entries(1, 4), endedBy: 'time-limit' },
    { bytes: Buffer.concat([entries(98, 98), entries(100, 100)]) },
  ]);
  assert.deepEqual(
    notes.map(({ code, detail }) => `${code}: ${detail.split(',')[0]}`),
    ['journal-middle-skipped: 93 entries', 'journal-gap: 1 entries'],
  );
});

test('where the two ends do not count alike only the time between them is known', async () => {
  const { notes } = await read(ENDS, 6_000, [
    { bytes: entries(1, 4), endedBy: 'time-limit' },
    { bytes: entries(98, 99, { sequence: 'f'.repeat(32) }) },
  ]);
  assert.equal(notes[0]?.detail, '2023-11-14T22:13:24.000Z to 2023-11-14T22:14:58.000Z');
});

test('a journal that gives nothing at all is asked for its newest entries too, and no longer than it may', async () => {
  const hang: Answer = { bytes: Buffer.alloc(0), endedBy: 'time-limit', tookMs: 6_000 };
  const { messages, calls, end } = await read(ENDS, 6_000, [hang, hang]);
  assert.deepEqual([messages, calls.at(-1), end.endedBy], [[], '-b 0 -n 3: 500 ms', 'time-limit']);
});

test('all, and only the newest, are asked for once', async () => {
  const cut: Answer = { bytes: entries(1, 2), endedBy: 'time-limit' };
  assert.deepEqual((await read({ of: 'all' }, 6_000, [cut])).calls, ['-b 0: 6000 ms']);
  assert.deepEqual((await read({ of: 'newest', entries: 9 }, 6_000, [cut])).calls, ['-b 0 -n 9: 6000 ms']);
});

test('a journal whose beginning was removed says so', async () => {
  const { notes } = await read(ENDS, 6_000, [{ bytes: entries(400, 402) }]);
  assert.deepEqual(notes, [{ what: 'journal', code: 'journal-start-missing', detail: 'begins 400 s after it' }]);
});
