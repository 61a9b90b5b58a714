// A log that says one thing ten thousand times: from there on one entry in 64 is looked at, the very last always, and that is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packOf, pattern, read } from './tiny-pack.ts';

const SATED = 10_000;
const LOOKED_AT_EACH = 64;
const pack = packOf(
  pattern('flooding', 'Unable to register node err=(?<error>\\w+)'),
  pattern('rare', 'Out of memory: Killed process (?<pid>\\d+)'),
);

function line(second: number, message: string): string {
  const time = new Date(Date.UTC(2025, 4, 6) + second * 1000).toISOString().slice(0, 19);
  return `${time}+0000 ip-10-0-0-1 kubelet[7]: ${message}\n`;
}

const flood = (count: number): string[] =>
  Array.from({ length: count }, (_value, second) => line(second, `Unable to register node err=e${second}`));

test('up to ten thousand every entry counts', () => {
  const { matches, notChecked } = read(pack, { text: flood(SATED).join('') });
  assert.equal(matches.get('flooding')!.count, SATED);
  assert.deepEqual(notChecked, []);
});

test('of more, one in 64 is looked at and the very last, and how many were passed is said', () => {
  const more = 6_450;
  const { matches, notChecked } = read(pack, { text: flood(SATED + more).join('') });
  const { count, lastCaptures, last } = matches.get('flooding')!;
  assert.equal(count, SATED + Math.floor(more / LOOKED_AT_EACH) + 1);
  assert.equal(lastCaptures['error'], `e${SATED + more - 1}`);
  assert.equal(last.time.wallMs, Date.UTC(2025, 4, 6) + (SATED + more - 1) * 1000);
  const passed = more - Math.floor(more / LOOKED_AT_EACH);
  assert.deepEqual(notChecked, [{ what: 'input', code: 'entries-passed', detail: String(passed) }]);
});

test('what is rare is found in the midst of a flood', () => {
  const lines = flood(3 * SATED);
  for (const [index, at] of [15_001, 20_002, 25_003].entries())
    lines.splice(at, 0, line(at, `Out of memory: Killed process ${index}`));
  const rare = read(pack, { text: lines.join('') }).matches.get('rare')!;
  assert.deepEqual([rare.count, rare.lastCaptures['pid']], [3, '2']);
});
