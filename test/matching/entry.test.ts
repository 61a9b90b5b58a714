import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf, packOf, pattern, read } from './tiny-pack.ts';

const failed = pattern('failed', 'command failed err=(?<error>.*)');
const PREFIX = 'Jun 06 19:33:03 host';
const HEAD = 'E0606 19:33:03.828406    3214 run.go:74] "command failed" err=<';

function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

test('the lines of a klog block are joined', () => {
  const text = lines(
    `${PREFIX} kubelet[7]: ${HEAD}`,
    `${PREFIX} kubelet[7]: \tfirst`,
    `${PREFIX} kubelet[7]: \tsecond`,
    `${PREFIX} kubelet[7]:  >`,
    `${PREFIX} kubelet[7]: next`,
  );
  assert.equal(messageOf(failed, { text }), 'command failed err=first\nsecond');
  assert.equal(
    messageOf(failed, { text: lines(HEAD, '\tfirst', '\tsecond', ' >', 'next'), stream: 'kubelet' }),
    'command failed err=first\nsecond',
  );
});

test('lines of other processes may stand between', () => {
  const text = lines(
    `${PREFIX} kubelet[7]: ${HEAD}`,
    `${PREFIX} containerd[8]: time="2025-06-06T19:33:03Z" level=info msg="between"`,
    `${PREFIX} kubelet[7]: \tfirst`,
    `${PREFIX} kubelet[9]: \tof another kubelet`,
    `${PREFIX} systemd[1]: Started something.`,
    `${PREFIX} kubelet[7]: \tsecond`,
    `${PREFIX} kubelet[7]:  >`,
  );
  assert.equal(messageOf(failed, { text }), 'command failed err=first\nsecond');
});

test('two blocks of two processes that are woven into each other stay apart', () => {
  const block = (pid: number): string[] =>
    [HEAD, `\tfirst of ${pid}`, `\tsecond of ${pid}`, ' >'].map((line) => `${PREFIX} kubelet[${pid}]: ${line}`);
  const [a, b] = [block(7), block(8)];
  const text = lines(...a.flatMap((line, i) => [line, b[i]!]));
  const match = read(packOf(failed), { text }).matches.get('failed')!;
  assert.deepEqual(
    match.firstRecords.map(({ message }) => message),
    ['command failed err=first of 7\nsecond of 7', 'command failed err=first of 8\nsecond of 8'],
  );
});

test('a literal in a later line leads to the whole block, once', () => {
  const deep = pattern('deep', 'command failed err=.*open /a/b: permission denied', {
    literals: ['permission denied'],
  });
  const text = lines(
    `${PREFIX} kubelet[7]: ${HEAD}`,
    `${PREFIX} kubelet[7]: \tfirst`,
    `${PREFIX} kubelet[7]: \topen /a/b: permission denied`,
    `${PREFIX} kubelet[7]:  >`,
  );
  const match = read(packOf(deep), { text }).matches.get('deep')!;
  assert.equal(match.count, 1);
  assert.equal(match.first.origin.offset, 0);
  assert.equal(match.first.message, 'command failed err=first\nopen /a/b: permission denied');
});

test('a block that is never closed ends with its process’s next line', () => {
  const text = lines(
    `${PREFIX} kubelet[7]: ${HEAD}`,
    `${PREFIX} kubelet[7]: \tfirst`,
    `${PREFIX} kubelet[7]: something else`,
  );
  assert.equal(messageOf(failed, { text }), 'command failed err=first');
});

test('lines that begin with a tab belong to the line before', () => {
  const started = pattern('started', '^listening on: ');
  assert.equal(
    messageOf(started, { text: lines('listening on: ', '\t10.0.0.1', '\t10.0.0.2', 'other'), stream: 'kubelet' }),
    'listening on: \n\t10.0.0.1\n\t10.0.0.2',
  );
});

test('stack frames prove nothing', () => {
  const frame = pattern('frame', 'permission-denied');
  const frames = [
    'goroutine 1 [permission-denied]:',
    'main.f(0xc000, "permission-denied")',
    '\t/go/src/permission-denied/main.go:12 +0x1f',
    'created by permission-denied',
  ];
  for (const text of frames) assert.equal(messageOf(frame, { text: lines(text) }), null, text);
});

test('a line without end is cut round the hit and counted', () => {
  const needle = pattern('needle', 'needle in a very long line');
  const text = `${'x'.repeat(300_000)} needle in a very long line ${'y'.repeat(300_000)}\n`;
  const { notChecked } = read(packOf(needle), { text });
  assert.deepEqual(notChecked, [{ what: 'input', code: 'entries-cut', detail: '1' }]);
});

test('a line of less than 64 KiB is whole, wherever the hit stands in it', () => {
  const needle = pattern('needle', '^begin .*needle in a long line', { literals: ['needle in a long line'] });
  const near = `begin ${'x'.repeat(10_000)} needle in a long line ${'y'.repeat(50_000)}\n`;
  const result = read(packOf(needle), { text: near });
  assert.equal(result.matches.get('needle')?.first.origin.offset, 0);
  assert.deepEqual(result.notChecked, []);
});

/** An entry a line, as journald keeps what a program prints; the message in binary form where `binary`. */
function exported(messages: readonly string[], binary: boolean, pid = 7): Buffer {
  const entries = messages.map((message, i) => {
    const head = `__CURSOR=s=1;i=${i}\n__REALTIME_TIMESTAMP=1749238383828406\nSYSLOG_IDENTIFIER=kubelet\n_PID=${pid}\n`;
    if (!binary) return Buffer.from(`${head}MESSAGE=${message}\n\n`);
    const length = Buffer.alloc(8);
    length.writeUInt32LE(Buffer.byteLength(message));
    return Buffer.concat([Buffer.from(`${head}MESSAGE\n`), length, Buffer.from(`${message}\n\n`)]);
  });
  return Buffer.concat(entries);
}

for (const binary of [false, true])
  test(`the lines of a klog block are joined from entries of a journal in export form, ${binary ? 'binary' : 'plain'}`, () => {
    const deep = pattern('deep', 'command failed err=.*open /a/b: permission denied', {
      literals: ['permission denied'],
    });
    const block = [HEAD, '\tfirst', '\topen /a/b: permission denied', ' >'];
    for (const messages of [
      block,
      ['before', ...block, 'behind'],
      [block.join('\n')],
      ['before', block.join('\n'), 'behind'],
    ]) {
      const match = read(packOf(deep), {
        text: exported(messages, binary || messages.length !== 4),
        exported: true,
      }).matches.get('deep');
      assert.equal(match?.first.message, 'command failed err=first\nopen /a/b: permission denied');
      assert.equal(match.count, 1);
    }
  });

test('what was hit is never left out, also where its head is too far away to reach it', () => {
  const deep = pattern('deep', 'open /a/b: permission denied$');
  const block = [HEAD, ...Array.from({ length: 70 }, (_, i) => `\tline ${i}`), '\topen /a/b: permission denied', ' >'];
  for (const given of [
    { text: exported(block, false), exported: true },
    { text: lines(...block.map((line) => `${PREFIX} kubelet[7]: ${line}`)) },
  ])
    assert.equal(read(packOf(deep), given).matches.get('deep')?.count, 1);
});
