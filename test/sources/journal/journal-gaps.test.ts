import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalFramer } from '../../../src/sources/journal/journal-framer.ts';
import { JournalGaps } from '../../../src/sources/journal/journal-gaps.ts';
import { entries, entry } from '../export-entries.ts';

const USER = 'c'.repeat(32);
const PERSISTENT = 'd'.repeat(32);

function missing(...parts: readonly Buffer[]): number {
  const framer = new JournalFramer();
  const gaps = new JournalGaps();
  for (const part of parts) gaps.add(framer.push(part));
  return gaps.missing;
}

const ofUser = (number: number): Buffer => entry({ number, sequence: USER });

for (const [title, expected, parts] of [
  ['a journal that begins anywhere', 0, [entries(500, 520)]],
  ['entries that were removed', 79, [entries(1, 20), entries(100, 120), entries(121, 130)]],
  ['two gaps', 12, [entries(1, 3), entries(8, 9), entries(18, 18)]],
  [
    "a user's journal, numbered by the same counter",
    0,
    [entries(1, 2), ofUser(3), entries(4, 8), ofUser(9), entries(10, 10)],
  ],
  [
    "a user's entry that comes behind its successor",
    0,
    [entries(1, 2), ofUser(3), entries(4, 4), entries(6, 6), ofUser(5), entries(7, 7)],
  ],
  ["entries removed from a user's journal and the system's", 5, [entries(1, 2), ofUser(3), entries(9, 9), ofUser(10)]],
  [
    'the move from /run to /var, where older boots counted further',
    0,
    [entries(1, 20), entries(90_021, 90_040, { sequence: PERSISTENT })],
  ],
  ['the move to an empty /var', 0, [entries(1, 20), entries(21, 40, { sequence: PERSISTENT })]],
  ['a journald that counts anew', 0, [entries(50, 60), entries(55, 70)]],
  [
    'a gap behind the move',
    4,
    [entries(1, 20), entries(21, 22, { sequence: PERSISTENT }), entries(27, 27, { sequence: PERSISTENT })],
  ],
] as const)
  test(`${title}: ${expected} missing`, () => assert.equal(missing(...parts), expected));

test('what was left out on purpose is not missing', () => {
  const framer = new JournalFramer();
  const gaps = new JournalGaps();
  gaps.add(framer.push(entries(1, 5)));
  gaps.skip();
  gaps.add(framer.push(entries(900, 905)));
  gaps.add(framer.push(entries(907, 907)));
  assert.equal(gaps.missing, 1);
});
