// Inputs that are followed: looked at while they grow, several at once, with lists of one moment that replace each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher } from '../../src/matching/matcher.ts';
import { carriedText } from './carried-text.ts';
import { createRandom } from './random.ts';
import { CLOCK, packOf, pattern } from './tiny-pack.ts';

const PACK = packOf(
  pattern('boom', 'boom (?<n>\\d+)', { keepTimes: 3 }),
  pattern('block', 'failed to start err=<.*disk is gone'),
);
const SOURCE = { name: '/var/log/messages', stream: 'kubelet', exported: false };

function line(n: number): string {
  return `Jun  1 10:00:${String(n % 60).padStart(2, '0')} ip-10-0-1-2 kubelet[7]: boom ${n}\n`;
}

test('an entry counts once the writer pauses, and only once', () => {
  const matcher = createMatcher(PACK, CLOCK);
  const reader = matcher.openLive(SOURCE);
  reader.push(Buffer.from(line(1)));
  assert.equal(matcher.result().matches.get('boom'), undefined);
  reader.settle(false);
  assert.equal(matcher.result().matches.get('boom'), undefined, 'the last entry may go on');
  reader.settle(true);
  assert.equal(matcher.result().matches.get('boom')?.count, 1);
  assert.equal(reader.matches, 1);
  reader.push(Buffer.from(line(2) + line(3)));
  reader.settle(false);
  assert.equal(matcher.result().matches.get('boom')?.count, 2);
  matcher.close(reader);
  const { count, last, captures } = matcher.result().matches.get('boom')!;
  assert.deepEqual([count, last.origin.offset, captures['n']], [3, line(1).length * 2, '1']);
});

test('many lines in pieces of any size count once each, though the window slides', () => {
  for (const pieceBytes of [1_000, 65_536, 1_000_000]) {
    const matcher = createMatcher(PACK, CLOCK);
    const reader = matcher.openLive(SOURCE);
    const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, n) => line(n)).join(''));
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      reader.push(bytes.subarray(at, at + pieceBytes));
      if (at % 3 === 0) reader.settle(false);
    }
    reader.settle(true);
    assert.equal(matcher.result().matches.get('boom')?.count, 40_000, `pieces of ${pieceBytes} bytes`);
  }
});

test('an entry that was looked at before its last lines came is tried again', () => {
  const matcher = createMatcher(PACK, CLOCK);
  const reader = matcher.openLive(SOURCE);
  reader.push(Buffer.from('E0601 10:00:00.000000    7 a.go:1] "failed to start err=<\n'));
  reader.settle(true);
  reader.push(Buffer.from('\tit says that the disk is gone\n >\n'));
  reader.settle(true);
  assert.equal(matcher.result().matches.get('block')?.count, 1);
});

test('inputs that are open together each keep their own place', () => {
  const matcher = createMatcher(PACK, CLOCK);
  const [a, b] = [matcher.openLive(SOURCE), matcher.openLive({ ...SOURCE, name: '/var/log/other.log' })];
  a.push(Buffer.from(line(1)));
  b.push(Buffer.from(line(2)));
  a.push(Buffer.from(line(3)));
  a.settle(true);
  b.settle(true);
  const { count, firstRecords } = matcher.result().matches.get('boom')!;
  assert.equal(count, 3);
  assert.deepEqual(
    new Set(firstRecords.map((record) => record.origin.source)),
    new Set(['/var/log/messages', '/var/log/other.log']),
  );
});

test('a newer list of one moment takes the place of the older', () => {
  const matcher = createMatcher(PACK, CLOCK);
  for (const text of [line(1), line(2)]) {
    matcher.forget('processes');
    const reader = matcher.openLive({ ...SOURCE, name: 'processes' });
    reader.push(Buffer.from(text));
    matcher.close(reader);
  }
  const result = matcher.result();
  assert.equal(result.matches.get('boom')?.count, 1);
  assert.equal(result.matches.get('boom')?.captures['n'], '2');
  assert.equal(result.sources.length, 1);
});

function exported(executable: string, message: string): string {
  return [
    '__CURSOR=s=1',
    '__REALTIME_TIMESTAMP=1748772000000000',
    '_SYSTEMD_UNIT=kubelet.service',
    `_EXE=${executable}`,
    `MESSAGE=${message}`,
    '',
    '',
  ].join('\n');
}

test('records that this program wrote itself are dropped by journald’s word for it', () => {
  const matcher = createMatcher(PACK, { ...CLOCK, ownExecutable: '/usr/local/bin/eks-bootstrap-analyzer' });
  const reader = matcher.openLive({ name: 'journal', stream: null, exported: true });
  reader.push(
    Buffer.from(exported('/usr/local/bin/eks-bootstrap-analyzer', 'boom 1') + exported('/usr/bin/kubelet', 'boom 2')),
  );
  reader.settle(true);
  const result = matcher.result();
  assert.deepEqual([result.matches.get('boom')?.count, result.matches.get('boom')?.captures['n']], [1, '2']);
  assert.equal(result.sources[0]!.earlierVerdicts, 0, 'it was no verdict');
});

test('records before the boot belong to an earlier one, by the clock as it is now', () => {
  let bootWallMs = Date.UTC(2025, 5, 1, 10, 0, 20);
  const matcher = createMatcher(PACK, { ...CLOCK, bootWallMs: () => bootWallMs });
  const reader = matcher.openLive(SOURCE);
  reader.push(Buffer.from(line(2)));
  reader.settle(true);
  bootWallMs -= 60_000;
  reader.push(Buffer.from(line(3)));
  reader.settle(true);
  const result = matcher.result();
  assert.equal(result.earlierMatches.get('boom')?.captures['n'], '2');
  assert.equal(result.matches.get('boom')?.captures['n'], '3');
});

test('the boot in which the machine is counts, also before it has said anything', () => {
  const [before, now] = ['a'.repeat(32), 'b'.repeat(32)];
  const matcher = createMatcher(PACK, { ...CLOCK, bootId: now, bootWallMs: () => Date.UTC(2025, 5, 1, 10, 0, 20) });
  const told = (): readonly (string | undefined)[] => {
    const { matches, earlierMatches, bootId } = matcher.result();
    return [bootId ?? undefined, matches.get('boom')?.captures['n'], earlierMatches.get('boom')?.captures['n']];
  };
  const previous = matcher.openLive({ name: 'journal of the boot before', stream: null, exported: true });
  previous.push(Buffer.from(entryOf(before, 1, 'boom 1')));
  matcher.close(previous);
  assert.deepEqual(told(), [now, undefined, '1']);
  const file = matcher.openLive(SOURCE);
  file.push(Buffer.from(line(2)));
  file.settle(true);
  assert.deepEqual(
    told(),
    [now, undefined, '1'],
    'a line older than this boot, in a file that was opened after the other journal',
  );
  const current = matcher.openLive({ name: 'journal', stream: null, exported: true });
  current.push(Buffer.from(entryOf(now, 3, 'boom 3')));
  current.settle(true);
  assert.deepEqual(told(), [now, '3', '1']);
});

function entryOf(boot: string, hour: number, message: string): string {
  const us = Date.UTC(2025, 5, 1, hour) * 1_000;
  return `__CURSOR=c\n__REALTIME_TIMESTAMP=${us}\n__MONOTONIC_TIMESTAMP=5000000\n_BOOT_ID=${boot}\n_SYSTEMD_UNIT=kubelet.service\nMESSAGE=${message}\n\n`;
}

for (const form of ['journal', 'plain', 'json', 'export'] as const)
  test(`${form}: what the end of an input says is the same, however often it was asked for`, () => {
    const info = { name: 'x', stream: form === 'plain' ? 'kubelet' : null, exported: form === 'export' };
    const text = carriedText(form, 1_500);
    // Another boot: what it says ends the one before.
    const bytes = Buffer.concat([
      text,
      Buffer.from(text.toString('latin1').replaceAll('6c7c6013', '7d7d7124'), 'latin1'),
    ]);
    const random = createRandom(5);
    const asked = createMatcher(PACK, CLOCK).openLive(info);
    const seen = new Set<string>();
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = Math.min(bytes.length, at + 1 + random.int(random.int(10) === 0 ? 150_000 : 3_000));
      asked.push(bytes.subarray(at, end));
      const fresh = createMatcher(PACK, CLOCK).openLive(info);
      fresh.push(bytes.subarray(0, end));
      const tailOf = ({ lastWallMs, lastMonotonicMs, bootId, lastErrors }: ReturnType<typeof asked.report>) => ({
        lastWallMs,
        lastMonotonicMs,
        bootId,
        lastErrors,
      });
      const { lastWallMs, bootId } = asked.report('times');
      const tail = tailOf(asked.report());
      assert.deepEqual([lastWallMs, bootId], [tail.lastWallMs, tail.bootId], `the times alone, after ${end} bytes`);
      assert.deepEqual(tail, tailOf(fresh.report()), `after ${end} bytes`);
      seen.add(JSON.stringify([tail.bootId, tail.lastErrors.length]));
    }
    assert.ok(seen.size > 1, [...seen].join());
  });
