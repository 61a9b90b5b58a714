import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../../../build/project.ts';
import { folderWith } from '../../host/folder-with.ts';
import { JOURNAL, NO_JOURNALCTL } from '../journal.ts';
import { makeTar } from '../make-tar.ts';

/** Collects `-` in a child and tells names, bytes and notes. */
const SCRIPT = `
  import { createHost } from '${ROOT}/src/host/create-host.ts';
  import { collectInputs } from '${ROOT}/src/sources/capture/collect-inputs.ts';
  import { readAll, TABLE } from '${ROOT}/test/sources/support.ts';
  const { inputs, notChecked, cleanup } = await collectInputs(['-', '/dev/stdin'], { host: createHost(), table: TABLE });
  const told = [];
  for (const input of inputs) {
    const { head } = await input.survey();
    const { bytes, notes } = await readAll(input);
    told.push([input.name, input.exported, head.length, bytes.length, notes.map(({ code }) => code)]);
  }
  await cleanup();
  console.log(JSON.stringify([told, notChecked.map(({ code }) => code)]));`;

function tell(input: { readonly input: Buffer } | { readonly fd: number | 'ignore' }): unknown {
  const options = 'fd' in input ? { stdio: [input.fd, 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] } : input;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', SCRIPT], {
    encoding: 'utf8',
    timeout: 20_000,
    ...options,
  });
  return JSON.parse(stdout);
}

const TEXT = Buffer.from('one line of text\n'.repeat(20_000));

test('a pipe is read once; its head is kept for the survey', () => {
  assert.deepEqual(tell({ input: TEXT }), [[['stdin', false, 65_536, TEXT.length, []]], []]);
});

test('a redirected file is read too', (t) => {
  const handle = openSync(join(folderWith(t, { 'paste.txt': TEXT }), 'paste.txt'), 'r');
  assert.deepEqual(tell({ fd: handle }), [[['stdin', false, 65_536, TEXT.length, []]], []]);
  closeSync(handle);
});

test('a compressed log, an archive and a journal may be piped in', async () => {
  assert.deepEqual(tell({ input: gzipSync(TEXT) }), [[['stdin', false, 65_536, TEXT.length, []]], []]);
  assert.deepEqual(tell({ input: gzipSync(await makeTar([['kubelet.log', TEXT]])) }), [
    [['stdin!kubelet.log', false, 65_536, TEXT.length, []]],
    [],
  ]);
});

test('a journal may be piped in', { skip: NO_JOURNALCTL }, () => {
  const [[journal]] = tell({ input: JOURNAL }) as [[[string, boolean, number, number, string[]]]];
  assert.deepEqual([journal[0], journal[1], journal[3] > 500, journal[4]], ['stdin', true, true, []]);
});

test('a folder as standard input is a note, not a crash', (t) => {
  const handle = openSync(folderWith(t), 'r');
  assert.deepEqual(tell({ fd: handle }), [[], ['directory']]);
  closeSync(handle);
});

test('nothing on standard input is noted', () => {
  assert.deepEqual(tell({ fd: 'ignore' }), [[], ['empty']]);
});
