import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packOf, pattern, read } from './tiny-pack.ts';

const fault = pattern('fault', 'swap is on number (?<number>\\d+)', { keepTimes: 2 });

function line(second: number, number: number): string {
  return `2025-06-06T19:33:${String(second).padStart(2, '0')}+0000 host kubelet[7]: swap is on number ${number}\n`;
}

test('keeps counts, first and last records and as many times as asked', () => {
  const text = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => line(n, n)).join('');
  const match = read(packOf(fault), { text }).matches.get('fault')!;
  assert.equal(match.count, 8);
  assert.deepEqual([match.captures, match.lastCaptures], [{ number: '1' }, { number: '8' }]);
  assert.deepEqual(
    match.firstRecords.map(({ message }) => message.at(-1)),
    ['1', '2', '3'],
  );
  assert.deepEqual(
    match.lastRecords.map(({ message }) => message.at(-1)),
    ['6', '7', '8'],
  );
  assert.deepEqual(
    match.times.map((ms) => new Date(ms).getUTCSeconds()),
    [7, 8],
  );
});

test('first and last go by time, not by place', () => {
  const match = read(packOf(fault), { text: line(5, 5) + line(1, 1) + line(9, 9) + line(3, 3) }).matches.get('fault')!;
  assert.deepEqual([match.first.message.at(-1), match.last.message.at(-1)], ['1', '9']);
});

test('what two inputs say of the same pattern is joined by time', () => {
  const { matches } = read(
    packOf(fault),
    { name: 'b', text: line(5, 5) + line(6, 6) },
    { name: 'a', text: line(1, 1) + line(9, 9) },
  );
  const match = matches.get('fault')!;
  assert.equal(match.count, 4);
  assert.deepEqual([match.first.origin.source, match.last.origin.source], ['a', 'a']);
  assert.deepEqual([match.captures, match.lastCaptures], [{ number: '1' }, { number: '9' }]);
  assert.deepEqual(
    match.times.map((ms) => new Date(ms).getUTCSeconds()),
    [6, 9],
  );
});

test('alternatives that name different groups add up', () => {
  const own = pattern('own', 'first telling words (?<a>\\d+)|second telling words (?<b>\\d+)');
  const match = read(packOf(own), {
    text: 'first telling words 1\nsecond telling words 2\nfirst telling words 3\n',
  }).matches.get('own')!;
  assert.deepEqual([match.captures, match.lastCaptures], [{ a: '1' }, { a: '3', b: '2' }]);
});

test('a veto, a level and a unit keep a match off', () => {
  const own = pattern('own', 'telling words', {
    not: ['but not these'],
    levels: ['error'],
    unit: '^kubelet\\.service$',
  });
  const entry = (message: string, priority: string, unit: string): string =>
    `${JSON.stringify({ __CURSOR: 's=1', MESSAGE: message, PRIORITY: priority, _SYSTEMD_UNIT: unit })}\n`;
  const cases: readonly (readonly [string, string, string, number])[] = [
    ['telling words', '3', 'kubelet.service', 1],
    ['telling words but not these', '3', 'kubelet.service', 0],
    ['telling words', '6', 'kubelet.service', 0],
    ['telling words', '3', 'containerd.service', 0],
  ];
  for (const [message, priority, unit, count] of cases)
    assert.equal(
      read(packOf(own), { text: entry(message, priority, unit) }).matches.get('own')?.count ?? 0,
      count,
      `${message}, ${priority}, ${unit}`,
    );
});

test('of one boot the monotonic clock tells which came last, also after the wall clock was set back', () => {
  const entry = (number: number, wallS: number, bootS: number): string =>
    `__CURSOR=s=a;i=${number};b=b;m=1;t=1;x=1\n__REALTIME_TIMESTAMP=${wallS}000000\n__MONOTONIC_TIMESTAMP=${bootS}000000\n_BOOT_ID=${'b'.repeat(32)}\nMESSAGE=swap is on number ${number}\n\n`;
  const text = entry(1, 1_749_003_600, 10) + entry(2, 1_749_000_000, 20);
  const match = read(packOf(fault), { exported: true, text }).matches.get('fault')!;
  assert.deepEqual([match.first.time.monotonicMs, match.last.time.monotonicMs], [10_000, 20_000]);
});
