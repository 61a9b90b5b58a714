import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalFramer } from '../../../src/sources/journal/journal-framer.ts';
import { JournalPlace } from '../../../src/sources/journal/journal-position.ts';
import { entries, entry, messagesIn } from '../export-entries.ts';

const COPY = 'd'.repeat(32);

/** What of each part is new. */
function passed(...parts: readonly Buffer[]): (readonly number[])[] {
  const framer = new JournalFramer();
  const place = new JournalPlace();
  return parts.map((part) => {
    const fresh = place.pass(framer.push(part));
    if (fresh === null) return [];
    for (const start of fresh.starts) assert.ok(fresh.bytes.toString('latin1', start).startsWith('__CURSOR='));
    return messagesIn(fresh.bytes);
  });
}

test('what follows is new', () =>
  assert.deepEqual(passed(entries(1, 3), entries(4, 5)), [
    [1, 2, 3],
    [4, 5],
  ]));

test('what came before is not', () =>
  assert.deepEqual(passed(entries(1, 3), entries(2, 3), entries(3, 5)), [[1, 2, 3], [], [4, 5]]));

test('a place that is gone is passed', () =>
  assert.deepEqual(passed(entries(1, 3), entries(7, 8)), [
    [1, 2, 3],
    [7, 8],
  ]));

test('copies in another file are known by their times and content', () =>
  assert.deepEqual(passed(entries(1, 3), entries(2, 4, { sequence: COPY })), [[1, 2, 3], [4]]));

test('of several entries at one time only those that were read are known, in whatever order they come', () => {
  const at = { monotonicUs: 5_000_000 };
  const copy = (number: number): Buffer => entry({ ...at, number, sequence: COPY, content: `${number}` });
  assert.deepEqual(
    passed(
      entries(1, 2),
      Buffer.concat([entries(3, 5, at)]),
      Buffer.concat([copy(5), copy(3), copy(6), copy(4), entries(7, 7)]),
    ),
    [
      [1, 2],
      [3, 4, 5],
      [6, 7],
    ],
  );
});

test('after a start anew an original may come between its copies', () => {
  const at = { monotonicUs: 5_000_000 };
  const copy = (number: number): Buffer => entry({ ...at, number, sequence: COPY, content: `${number}` });
  assert.deepEqual(
    passed(entries(1, 3, at), Buffer.concat([copy(1), copy(2), entry({ ...at, number: 3 }), copy(3), copy(4)])),
    [[1, 2, 3], [4]],
  );
});

test('copies that come before their originals are told apart, and lines that were logged twice are not', () => {
  const at = { monotonicUs: 5_000_000 };
  const one = (number: number, content: string, sequence?: string): Buffer =>
    entry({ ...at, number, content, ...(sequence === undefined ? {} : { sequence }) });
  const parts = [
    one(1, 'a'),
    one(2, 'b', COPY),
    Buffer.concat([one(2, 'b'), one(3, 'c'), one(4, 'c')]),
    one(3, 'c', COPY),
    one(4, 'c', COPY),
    one(5, 'c', COPY),
  ];
  assert.deepEqual(passed(...parts), [[1], [2], [3, 4], [], [], [5]]);
});

test("entries of a user's journal between those of the system are new", () =>
  assert.deepEqual(
    passed(
      entries(1, 2),
      entry({ number: 3, sequence: COPY }),
      Buffer.concat([entries(4, 4), entry({ number: 5, sequence: COPY })]),
    ),
    [[1, 2], [3], [4, 5]],
  ));
