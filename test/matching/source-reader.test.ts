import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carriedText } from './carried-text.ts';
import { createRandom } from './random.ts';
import { packOf, pattern, read } from './tiny-pack.ts';

const pack = packOf(
  pattern('refused', 'Unable to register node err=(?<error>\\w+)'),
  pattern('block', '^command failed err=.*no such file', { literals: ['command failed', 'no such file'] }),
  pattern('kernel-line', 'Out of memory: Killed process (?<pid>\\d+)'),
);
const WINDOW_BYTES = 4 * 1024 * 1024;

for (const form of ['journal', 'plain', 'json', 'export'] as const)
  test(`${form}: bytes that arrive in any pieces give the same result`, () => {
    const given = {
      text: carriedText(form, 1500),
      exported: form === 'export',
      stream: form === 'plain' ? 'kubelet' : null,
    };
    const whole = read(pack, given);
    assert.ok([...whole.matches.values()].every(({ count }) => count > 10) && whole.matches.size === 3);
    for (const [seed, longest] of [1, 50, 5_000, 60_000, 70_000, 200_000].entries()) {
      const random = createRandom(seed);
      // The first piece is long enough for the head, from which times are taken.
      let first = true;
      const pieces = (): number => (first ? ((first = false), 8_192) : 1 + random.int(longest));
      if (longest > 1) assert.deepEqual(read(pack, { ...given, pieces }), whole, `pieces of up to ${longest} bytes`);
    }
  });

test('entries at the borders of the window are found once and whole', () => {
  const entry =
    'Jun 06 19:33:03 host kubelet[7]: E0606 19:33:03.828406    3214 a.go:96] "Unable to register node" err="Unauthorized"\n';
  const filler = 'Jun 06 19:33:03 host kubelet[7]: I0606 19:33:03.828406    3214 a.go:96] "Nothing of interest"\n';
  const random = createRandom(11);
  const parts: string[] = [];
  const offsets: number[] = [];
  let length = 0;
  for (const border of [1, 2, 3].map((n) => n * WINDOW_BYTES))
    for (const near of [-130_000, -66_600, -66_000, -65_000, -200, -60, 0, 40, 66_000].map(
      (distance) => border + distance + random.int(64),
    )) {
      while (length + filler.length < near) {
        parts.push(filler);
        length += filler.length;
      }
      offsets.push(length);
      parts.push(entry);
      length += entry.length;
    }
  const text = Buffer.from(parts.join('') + filler.repeat(1000));
  for (const pieces of [undefined, (): number => 65_536, (): number => 1_000_000 + random.int(9)]) {
    const match = read(pack, pieces === undefined ? { text } : { text, pieces }).matches.get('refused')!;
    assert.equal(match.count, offsets.length);
    assert.deepEqual(
      match.firstRecords.map(({ origin }) => origin.offset),
      offsets.slice(0, 3),
    );
    assert.deepEqual(
      match.lastRecords.map(({ origin }) => origin.offset),
      offsets.slice(-3),
    );
    assert.equal(match.first.message, 'Unable to register node err=Unauthorized');
  }
});

test('the first dated line gives the time, however the bytes arrive', () => {
  const text = 'a line without a stamp\n2025-06-06T19:33:03+0000 host kubelet[7]: Unable to register node err=x\n';
  const first = Date.parse('2025-06-06T19:33:03Z');
  assert.equal(read(pack, { text }).sources[0]!.firstWallMs, first);
  assert.equal(read(pack, { text, pieces: () => 7 }).sources[0]!.firstWallMs, first);
});

test('the last lines give the end of the input and its last errors', () => {
  const line = (second: number, level: string, text: string): string =>
    `2025-06-06T19:33:0${second}+0000 host kubelet[7]: ${level}0606 19:33:0${second}.000000    7 a.go:1] ${text}\n`;
  const text = [
    line(1, 'E', 'one'),
    line(2, 'E', 'two'),
    line(3, 'I', 'three'),
    line(4, 'E', 'four'),
    line(5, 'E', 'five'),
    line(6, 'I', 'six'),
  ].join('');
  const source = read(pack, { text }).sources[0]!;
  assert.equal(source.bytes, text.length);
  assert.equal(source.lastWallMs, Date.parse('2025-06-06T19:33:06Z'));
  assert.deepEqual(
    source.lastErrors.map(({ message }) => message),
    ['two', 'four', 'five'],
  );
});

test('an empty input, and one without a newline at its end', () => {
  assert.deepEqual(read(pack, { text: '' }).sources[0]!.bytes, 0);
  assert.equal(
    read(pack, { text: 'Unable to register node err=x', stream: 'kubelet' }).matches.get('refused')?.count,
    1,
  );
});

test('own output is counted as an earlier verdict, never as evidence', () => {
  const claim = 'Unable to register node err=Unauthorized';
  const texts = [
    `eks-bootstrap-analyzer: evidence: ${claim}\n`,
    `[   12.345678] eks-bootstrap-analyzer: evidence: ${claim}\n`,
    `Jun 06 19:33:03 host eks-bootstrap-analyzer[9]: ${claim}\n`,
    `Jun 06 19:33:03 cloud-init[7]: eks-bootstrap-analyzer: ${claim}\n`,
    `${JSON.stringify({ __CURSOR: 's=1', SYSLOG_IDENTIFIER: 'node', _SYSTEMD_UNIT: 'eks-bootstrap-analyzer.service', MESSAGE: `eks-bootstrap-analyzer ${claim}` })}\n`,
  ];
  for (const text of texts) {
    const { matches, sources } = read(pack, { text });
    assert.equal(matches.size, 0, text);
    assert.equal(sources[0]!.earlierVerdicts, 1, text);
    assert.deepEqual(sources[0]!.lastErrors, [], text);
  }
});

test('a line that only speaks of this tool is evidence like any other', () => {
  const text = 'Jun 06 19:33:03 host kubelet[7]: Unable to register node err=x while eks-bootstrap-analyzer runs\n';
  assert.equal(read(pack, { text }).matches.size, 1);
});

test('a record names its line, also behind many windows', () => {
  const lines = Array.from(
    { length: 120_000 },
    (_, index) => `Jun 06 19:33:03 host kubelet[7]: nothing of interest ${'x'.repeat(index % 90)}`,
  );
  const wanted = [3, 60_001, 119_998];
  for (const index of wanted) lines[index] = `Jun 06 19:33:03 host kubelet[7]: Unable to register node err=E${index}`;
  const { matches } = read(pack, { text: `${lines.join('\n')}\n`, exported: false, stream: null });
  assert.deepEqual(
    matches.get('refused')!.firstRecords.map(({ origin }) => origin.line),
    wanted.map((index) => index + 1),
  );
});
