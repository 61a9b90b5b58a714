import assert from 'node:assert/strict';
import { closeSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHost } from '../../../src/host/create-host.ts';
import { feelPulse } from '../../../src/sources/journal/journal-pulse.ts';
import { JournalTail } from '../../../src/sources/journal/journal-tail.ts';
import { folderWith } from '../../host/folder-with.ts';
import { JOURNAL } from '../journal.ts';

const FILE = 'var/log/journal/0123/system.journal';
const STATE_AT = 16;
const NUMBER_AT = 160;
const ENTRIES = 3;
const LIMIT = { timeout: 20_000 };

function write(file: string, at: number, bytes: Buffer): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, bytes, 0, bytes.length, at);
  closeSync(fd);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

test("the newest entry is read from the file's own header; a file that journald is done with is left for its successor", async (t) => {
  const root = folderWith(t, { [FILE]: '' });
  const file = join(root, FILE);
  const tail = new JournalTail(createHost({ root }));
  assert.equal(await tail.read(), null, 'an empty file');
  writeFileSync(file, JOURNAL);
  const found = await tail.read();
  assert.match(found?.sequence ?? '', /^[0-9a-f]{32}$/);
  assert.equal(found?.number, ENTRIES);

  write(file, NUMBER_AT, number(ENTRIES + 4));
  assert.equal((await tail.read())?.number, ENTRIES + 4);
  write(file, STATE_AT, Buffer.of(2));
  renameSync(file, `${file}.old`);
  writeFileSync(file, JOURNAL);
  assert.equal(await tail.read(), null);
  assert.equal((await tail.read())?.number, ENTRIES, 'found anew');
  await tail.close();
});

test('no journal, or something else in its place', async (t) => {
  assert.equal(await new JournalTail(createHost({ root: folderWith(t, { 'var/log/x': '' }) })).read(), null);
  assert.equal(await new JournalTail(createHost({ root: folderWith(t, { [FILE]: 'x'.repeat(4096) }) })).read(), null);
});

test('it does not begin if its signal is aborted already', LIMIT, async (t) => {
  await feelPulse(createHost({ root: folderWith(t, {}) }), () => assert.fail('a beat'), AbortSignal.abort());
});

test('it beats at each new entry, and ends with its signal', LIMIT, async (t) => {
  const root = folderWith(t, {});
  const stop = new AbortController();
  const beats: PromiseWithResolvers<void>[] = [
    Promise.withResolvers(),
    Promise.withResolvers(),
    Promise.withResolvers(),
  ];
  let felt = 0;
  const over = feelPulse(createHost({ root }), () => beats[felt++]?.resolve(), stop.signal);
  const later = folderWith(t, { [FILE]: '' });
  writeFileSync(join(later, FILE), JOURNAL);
  renameSync(join(later, 'var'), join(root, 'var'));
  await beats[0]!.promise;
  write(join(root, FILE), NUMBER_AT, number(ENTRIES + 1));
  await beats[1]!.promise;
  stop.abort();
  await over;
  assert.equal(felt, 2);
});
