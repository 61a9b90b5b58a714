import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatchResult } from '../../src/types.ts';
import { packOf, pattern, read } from './tiny-pack.ts';

const pack = packOf(
  pattern('banner', '^Linux version (?<version>\\S+)', { startsBoot: true, streams: ['kernel'] }),
  pattern('separator', '^-- (?:Boot [0-9a-f]{32}|Reboot) --$', {
    startsBoot: true,
    literals: ['-- Boot ', '-- Reboot --'],
  }),
  pattern('fault', 'swap is on number (?<number>\\d+)'),
);

function faults({ matches, earlierMatches }: MatchResult): { readonly now: number; readonly before: number } {
  return { now: matches.get('fault')?.count ?? 0, before: earlierMatches.get('fault')?.count ?? 0 };
}

const journal = (text: string): string => `Jun 06 19:33:03 host kubelet[7]: ${text}\n`;
const FAULT = 'swap is on number 1';

test('what stands before journalctl’s separator belongs to an earlier boot', () => {
  for (const separator of ['-- Boot 1ecccc3fc1626e53a13043b026c48bbf --', '-- Reboot --']) {
    assert.deepEqual(
      faults(read(pack, { text: `${journal(FAULT)}${journal(FAULT)}${separator}\n${journal(FAULT)}` })),
      { now: 1, before: 2 },
    );
    assert.deepEqual(faults(read(pack, { text: `${journal(FAULT)}${separator}\n` })), { now: 0, before: 1 });
    assert.deepEqual(faults(read(pack, { text: `${separator}\n${journal(FAULT)}` })), { now: 1, before: 0 });
  }
});

test('the kernel’s banner begins a boot', () => {
  const banner = 'Jun 06 19:40:00 host kernel: [    0.000000] Linux version 6.1.0 (mockbuild)\n';
  assert.deepEqual(faults(read(pack, { text: `${journal(FAULT)}${banner}${journal(FAULT)}` })), { now: 1, before: 1 });
});

test('a banner that another program quotes begins nothing', () => {
  const quoted = journal('Linux version 6.1.0 (mockbuild)');
  assert.deepEqual(faults(read(pack, { text: `${journal(FAULT)}${quoted}${journal(FAULT)}` })), { now: 2, before: 0 });
});

const entry = (boot: string, second: number, message: string): string =>
  `${JSON.stringify({ __CURSOR: `s=1;i=${second}`, _BOOT_ID: boot, SYSLOG_IDENTIFIER: 'kubelet', __REALTIME_TIMESTAMP: `${1_749_658_900 + second}000000`, __MONOTONIC_TIMESTAMP: `${second}000000`, MESSAGE: message })}\n`;
const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];

test('another boot id begins a boot', () => {
  const result = read(pack, { text: entry(A, 1, FAULT) + entry(A, 2, FAULT) + entry(B, 3, FAULT) });
  assert.deepEqual(faults(result), { now: 1, before: 2 });
  assert.equal(result.bootId, B);
});

test('a boot whose lines say nothing still ends the one before', () => {
  const result = read(pack, { text: entry(A, 1, FAULT) + entry(B, 3, 'nothing of interest') });
  assert.deepEqual(faults(result), { now: 0, before: 1 });
  assert.equal(result.bootId, B);
});

test('where boot ids are known, a banner in the same boot begins nothing', () => {
  const banner = `${JSON.stringify({ __CURSOR: 's=2', _BOOT_ID: A, _TRANSPORT: 'kernel', MESSAGE: 'Linux version 6.1.0 (x)' })}\n`;
  assert.deepEqual(faults(read(pack, { text: entry(A, 1, FAULT) + banner + entry(A, 2, FAULT) })), {
    now: 2,
    before: 0,
  });
});

test('lines of another file that are older than the boot belong to an earlier one', () => {
  const first = { name: 'journal', text: entry(A, 100, 'swap is on number 0') };
  const at = (second: number): string =>
    `${new Date((1_749_658_900 + second) * 1000).toISOString().slice(0, 19)}+0000 host kubelet[7]: ${FAULT}\n`;
  const second = { name: 'messages', text: at(-3600) + at(50) };
  assert.deepEqual(faults(read(pack, first, second)), { now: 2, before: 1 });
});
