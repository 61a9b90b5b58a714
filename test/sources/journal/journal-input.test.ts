import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createHost } from '../../../src/host/create-host.ts';
import { type Host, HostError } from '../../../src/host/host.ts';
import { journalProblems } from '../../../src/sources/journal/journal-input.ts';
import { journalHeader } from '../../../src/sources/journal/journal-header.ts';
import { folderWith } from '../../host/folder-with.ts';
import { FIRST_BOOT, JOURNAL, journalOfTheFuture, NO_JOURNALCTL, PACKED_JOURNAL, SECOND_BOOT } from '../journal.ts';
import { makeTar } from '../make-tar.ts';
import { codesOf, collect, namesOf, readAll } from '../support.ts';

const real = { skip: NO_JOURNALCTL };
const SWAP = 'running with swap on is not supported';

for (const [title, files, path, name] of [
  ['a file', { 'system.journal': JOURNAL }, 'system.journal', 'system.journal'],
  ['a folder', { 'system.journal': JOURNAL }, '', 'system.journal'],
  ['a compressed file', { 'system.journal.gz': PACKED_JOURNAL }, 'system.journal.gz', 'system.journal.gz'],
  [
    "a node's root",
    { 'var/log/journal/444/system.journal': JOURNAL, 'usr/x': '' },
    '',
    'var/log/journal/444/system.journal',
  ],
] as const)
  test(`a journal as ${title} is read in export form, all boots in order`, real, async (t) => {
    const { inputs, notChecked } = await collect(t, [join(folderWith(t, files), path)]);
    assert.deepEqual([namesOf(inputs), notChecked], [[name], []]);
    assert.equal(inputs[0]!.exported, true);
    const { bytes, notes } = await readAll(inputs[0]!);
    const text = bytes.toString('latin1');
    assert.deepEqual(notes, []);
    assert.ok(text.startsWith('__CURSOR=') && text.includes(SWAP) && text.includes('second \xff line'));
    assert.ok(text.indexOf(`_BOOT_ID=${FIRST_BOOT}`) < text.indexOf(`_BOOT_ID=${SECOND_BOOT}`));
    assert.match((await inputs[0]!.survey()).tail.toString('latin1'), /__REALTIME_TIMESTAMP=1700000602000000/);
  });

test('journals inside a bundle are unpacked and read', real, async (t) => {
  const bundle = gzipSync(
    await makeTar([
      ['var_log/journal/444/system.journal', JOURNAL],
      ['kubelet/kubelet.log', 'x'],
    ]),
  );
  const { inputs } = await collect(t, [join(folderWith(t, { 'b.tgz': bundle }), 'b.tgz')]);
  assert.deepEqual(namesOf(inputs), ['b.tgz!var_log/journal/444/system.journal', 'b.tgz!kubelet/kubelet.log']);
  assert.ok((await readAll(inputs[0]!)).bytes.includes(SWAP));
});

test('the files of one folder are one input', real, async (t) => {
  const folder = folderWith(t, {
    'j/system.journal': JOURNAL,
    'j/user-1000.journal': JOURNAL,
    'k/system.journal': JOURNAL,
  });
  assert.deepEqual(namesOf((await collect(t, [folder])).inputs), ['j', 'k/system.journal']);
});

test('a link among the journals is not followed by journalctl either', real, async (t) => {
  const outside = folderWith(t, { 'secret.journal': JOURNAL });
  const folder = folderWith(t);
  writeFileSync(join(folder, 'kubelet.log'), 'x');
  mkdirSync(join(folder, 'journal'));
  writeFileSync(join(folder, 'journal/damaged.journal'), journalOfTheFuture());
  symlinkSync(join(outside, 'secret.journal'), join(folder, 'journal/system.journal'));
  const { inputs, notChecked } = await collect(t, [folder]);
  assert.deepEqual(codesOf(notChecked), ['symlink']);
  assert.equal((await readAll(inputs[0]!)).bytes.length, 0);
});

test("a journal that this machine's journalctl cannot read is named with both versions", real, async (t) => {
  const { inputs } = await collect(t, [join(folderWith(t, { 'new.journal': journalOfTheFuture() }), 'new.journal')]);
  const { bytes, notes } = await readAll(inputs[0]!);
  assert.equal(bytes.length, 0);
  assert.deepEqual([notes[0]!.what, notes[0]!.code], ['new.journal', 'journal-unreadable']);
  assert.match(
    notes[0]!.detail,
    /^journalctl \d+; the file needs .*compact \(systemd 252\), unknown flags 0x20; it says: uses an unsupported feature$/,
  );
});

test('one journal that cannot be read does not hide the other', real, async (t) => {
  const folder = folderWith(t, { 'j/a.journal': journalOfTheFuture(), 'j/b.journal': JOURNAL });
  const { inputs } = await collect(t, [folder]);
  const { bytes, notes } = await readAll(inputs[0]!);
  assert.ok(bytes.includes(SWAP));
  assert.deepEqual(
    notes.map(({ what, code }) => [what, code]),
    [['j/a.journal', 'journal-unreadable']],
  );
});

test('a journal that is cut is never passed over in silence', real, async (t) => {
  const folder = folderWith(t, {
    'a/cut.journal': JOURNAL.subarray(0, 3000),
    'b/head.journal': JOURNAL.subarray(0, 100),
    'c/magic.journal': JOURNAL.subarray(0, 8),
  });
  const { inputs } = await collect(t, [folder]);
  assert.equal(inputs.length, 3);
  for (const input of inputs)
    assert.deepEqual(codesOf((await readAll(input)).notes), ['journal-unreadable'], input.name);
});

test('an entry that journalctl passes over in silence is missed', real, async (t) => {
  const damaged = Buffer.from(JOURNAL);
  damaged.fill(0xa5, 3_736_000, 3_745_000);
  const { inputs } = await collect(t, [join(folderWith(t, { 'a.journal': damaged }), 'a.journal')]);
  const { notes } = await readAll(inputs[0]!);
  assert.deepEqual(codesOf(notes), ['journal-incomplete']);
  assert.match(notes[0]!.detail, /^journalctl \d+ gave [12] of 3 entries$/);
});

test('a file that only is called a journal is noted', async (t) => {
  const { inputs, notChecked } = await collect(t, [
    folderWith(t, { 'system.journal': Buffer.alloc(5000, 1), 'kubelet.log': 'x' }),
  ]);
  assert.deepEqual(namesOf(inputs), ['kubelet.log']);
  assert.deepEqual(codesOf(notChecked), ['journal-unreadable']);
});

test('an export under the name of a journal is read as what it is', async (t) => {
  const { inputs } = await collect(t, [folderWith(t, { 'system.journal': '__CURSOR=s=1\nMESSAGE=x\n\n' })]);
  assert.deepEqual([inputs[0]!.exported, (await readAll(inputs[0]!)).bytes.length], [true, 24]);
});

test('without journalctl the journal is noted and the rest is read', async (t) => {
  const host: Host = {
    ...createHost(),
    run() {
      throw new HostError('command-missing', 'journalctl');
    },
  };
  const { inputs } = await collect(t, [folderWith(t, { 'system.journal': JOURNAL })], { host });
  assert.deepEqual((await readAll(inputs[0]!)).notes, [
    { what: 'system.journal', code: 'command-missing', detail: 'journalctl' },
  ]);
});

const END = { exitCode: 0, endedBy: null, stderr: '' } as const;
const READER = { version: 245 };
const FILE = {
  name: 'a.journal',
  file: '/a',
  sizeBytes: 1,
  mtimeMs: 1,
  header: { entries: 3, needs: ['compact (systemd 252)'] },
};
const TASK = { name: 'a.journal', files: [FILE], timeLimitMs: 60_000, args: [] };

test('every end of journalctl is judged', () => {
  const judge = (end: object, bytes: number, files: readonly (typeof FILE)[] = [FILE]) =>
    journalProblems({ ...END, ...end }, bytes, READER, { ...TASK, files });
  assert.deepEqual(judge({}, 10), []);
  assert.deepEqual(
    judge({}, 2).map(({ detail }) => detail),
    ['journalctl 245 gave 2 of 3 entries'],
  );
  assert.deepEqual(
    judge({ stderr: 'Hint: You are currently not seeing messages from other users and the system.\n' }, 10).map(
      ({ code }) => code,
    ),
    ['unreadable'],
  );
  assert.deepEqual(judge({ endedBy: 'time-limit', exitCode: null }, 10), [
    { what: 'a.journal', code: 'journal-time-limit', detail: '60 s' },
  ]);
  assert.deepEqual(judge({}, 0), [
    {
      what: 'a.journal',
      code: 'journal-unreadable',
      detail: 'journalctl 245; the file needs compact (systemd 252); it gave no entries',
    },
  ]);
  assert.deepEqual(
    judge({}, 0, [{ ...FILE, header: { entries: 0, needs: [] } }]).map(({ code }) => code),
    ['journal-empty'],
  );
  assert.deepEqual(judge({ exitCode: 1, stderr: 'Failed to iterate through journal: Bad message\n' }, 10), [
    {
      what: 'a.journal',
      code: 'journal-incomplete',
      detail: 'journalctl 245: Failed to iterate through journal: Bad message',
    },
  ]);
});

test('the header names what a reader must know', () => {
  assert.deepEqual(journalHeader(JOURNAL), {
    entries: 3,
    needs: ['keyed-hash (systemd 246)', 'zstd (systemd 246)', 'compact (systemd 252)'],
  });
  assert.equal(journalHeader(JOURNAL.subarray(0, 200)), null);
  assert.equal(journalHeader(Buffer.alloc(300)), null);
});
