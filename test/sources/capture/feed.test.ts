import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { HostError } from '../../../src/host/host.ts';
import { createMatcher } from '../../../src/matching/matcher.ts';
import { feed } from '../../../src/sources/capture/feed.ts';
import type { InputSource } from '../../../src/sources/input.ts';
import type { MatchResult } from '../../../src/types.ts';
import { folderWith } from '../../host/folder-with.ts';
import { collect, codesOf, PACK, readAll } from '../support.ts';

const SWAP_LINE =
  'E1120 11:22:33.444444    3214 run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap! or set --fail-swap-on flag to false"';

/** Everything that a collected input says to the matcher. */
async function matched(inputs: readonly InputSource[]): Promise<MatchResult> {
  const matcher = createMatcher(PACK, { referenceMs: Date.UTC(2025, 10, 20) });
  for (const source of inputs) {
    const reader = matcher.open(source);
    await feed(source, reader);
    matcher.close(reader);
  }
  return matcher.result();
}

function hasSwap(result: MatchResult): boolean {
  return [...result.matches.keys()].some((key) => key.startsWith('swap-enabled/'));
}

for (const [title, content] of [
  ['CRLF', `first\r\n${SWAP_LINE}\r\nlast\r\n`],
  [
    'NUL bytes and broken UTF-8',
    Buffer.concat([Buffer.alloc(3), Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]), Buffer.from(`${SWAP_LINE}\n`)]),
  ],
  ['UTF-16', Buffer.from(`\ufeffline\r\n${SWAP_LINE}\r\n`, 'utf16le')],
  ['gzip', gzipSync(`${SWAP_LINE}\n`)],
  ['base64 of a console', Buffer.from(`${'[    1.0] filler\n'.repeat(30)}${SWAP_LINE}\n`).toString('base64')],
  [
    'JSON with a broken line in the middle',
    [
      { MESSAGE: 'fine' },
      null,
      { MESSAGE: SWAP_LINE, SYSLOG_IDENTIFIER: 'kubelet', _PID: '3214', __REALTIME_TIMESTAMP: '1732101753444444' },
    ]
      .map((entry) => (entry === null ? '{"MESSAGE":"cut off in the mi' : JSON.stringify(entry)))
      .join('\n'),
  ],
] as const)
  test(`a cause is found through ${title}`, async (t) => {
    const { inputs } = await collect(t, [join(folderWith(t, { 'kubelet.log': content }), 'kubelet.log')]);
    assert.equal(hasSwap(await matched(inputs)), true);
  });

test('a journal in export form with a message in bytes is read as such', async (t) => {
  const message = Buffer.from(`${SWAP_LINE}\nsecond \xff line`, 'latin1');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(message.length));
  const fields =
    '__CURSOR=s=1\n__REALTIME_TIMESTAMP=1732101753444444\n_BOOT_ID=22222222222222222222222222222222\n_SYSTEMD_UNIT=kubelet.service\nMESSAGE\n';
  const capture = Buffer.concat([Buffer.from(fields), length, message, Buffer.from('\n\n')]);
  const { inputs } = await collect(t, [join(folderWith(t, { 'paste.txt': capture }), 'paste.txt')]);
  assert.equal(inputs[0]!.exported, true);
  const result = await matched(inputs);
  assert.equal(hasSwap(result), true);
  assert.equal(result.bootId, '22222222222222222222222222222222');
});

test('one line of 200 MB is read through a window, and the next line still counts', async (t) => {
  const file = join(folderWith(t, { 'huge.log': '' }), 'huge.log');
  const piece = Buffer.alloc(20_000_000, 'long line ');
  const handle = openSync(file, 'w');
  for (let i = 0; i < 10; i++) writeSync(handle, piece);
  writeSync(handle, `\n${SWAP_LINE}\n`);
  closeSync(handle);
  const { inputs } = await collect(t, [file]);
  const before = process.memoryUsage.rss();
  const result = await matched(inputs);
  assert.equal(hasSwap(result), true);
  assert.equal(result.sources[0]!.bytes, 200_000_002 + SWAP_LINE.length);
  assert.ok(process.memoryUsage.rss() - before < 100 * 1024 * 1024);
});

test('an input that is gone when it is read is a note', async (t) => {
  const folder = folderWith(t, { 'a.log': 'x'.repeat(600) });
  const { inputs } = await collect(t, [join(folder, 'a.log')]);
  rmSync(join(folder, 'a.log'));
  const sink = { space: () => Buffer.alloc(10), advance: () => {} };
  assert.deepEqual((await feed(inputs[0]!, sink)).notChecked, [
    { what: 'a.log', code: 'missing', detail: join(folder, 'a.log') },
  ]);
});

test('a tiny file was read when it was looked at, so that it may be gone by now', async (t) => {
  const folder = folderWith(t, { 'a.log': 'x'.repeat(512) });
  const { inputs } = await collect(t, [join(folder, 'a.log')]);
  rmSync(join(folder, 'a.log'));
  const { bytes, notes } = await readAll(inputs[0]!);
  assert.equal(bytes.toString(), 'x'.repeat(512));
  assert.deepEqual(notes, []);
});

/** An input that gives two pieces and then does what `last` does. */
function scripted(last: () => Promise<number>): { readonly source: InputSource; readonly closed: () => number } {
  let reads = 0;
  let closed = 0;
  const about = { name: 'x', path: '/x', exported: false, sizeBytes: null };
  const input = {
    ...about,
    notChecked: [],
    read: () => (++reads <= 2 ? Promise.resolve(5) : last()),
    close: async () => void closed++,
  };
  const empty = Buffer.alloc(0);
  return {
    source: {
      ...about,
      stream: null,
      mtimeMs: null,
      open: async () => input,
      survey: async () => ({ head: empty, tail: empty }),
    },
    closed: () => closed,
  };
}

const SINK = { space: () => Buffer.alloc(10), advance: () => {} };

test('a failure on the way is a note; what came before it counts', async () => {
  const { source, closed } = scripted(() => Promise.reject(new HostError('read-failed', '/x (EIO)')));
  const seen: number[] = [];
  const report = await feed(source, SINK, undefined, (bytes) => seen.push(bytes));
  assert.deepEqual([report.bytes, codesOf(report.notChecked), seen, closed()], [10, ['read-failed'], [5, 10], 1]);
});

test('a bug is not hidden as a note, and the input is closed all the same', async () => {
  const { source, closed } = scripted(() => Promise.reject(new TypeError('bug')));
  await assert.rejects(feed(source, SINK), TypeError);
  assert.equal(closed(), 1);
});

test('an abort ends the reading with its reason and closes the input', async () => {
  const controller = new AbortController();
  const { source, closed } = scripted(async () => {
    controller.abort(new Error('enough'));
    return 0;
  });
  await assert.rejects(feed(source, SINK, controller.signal), /enough/);
  assert.equal(closed(), 1);
});
