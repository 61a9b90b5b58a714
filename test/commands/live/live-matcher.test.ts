// What is followed reaches the matcher: looked at when the writer pauses, told as soon as something matched.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiveMatcher } from '../../../src/commands/live/live-matcher.ts';
import { createAlarm } from '../../../src/commands/live/alarm.ts';
import { afterReal } from '../../../src/lib/after.ts';
import { HostError } from '../../../src/host/host.ts';
import { createMatcher } from '../../../src/matching/matcher.ts';
import type { Input, InputSource } from '../../../src/sources/input.ts';
import { bytesSource } from '../../../src/sources/capture/peek.ts';
import { CLOCK, packOf, pattern } from '../../matching/tiny-pack.ts';

const SOURCE = { name: '/var/log/messages', path: '/var/log/messages', stream: 'kubelet', exported: false };

function open(streams: readonly string[] | null = null): {
  matcher: ReturnType<typeof createMatcher>;
  live: ReturnType<typeof createLiveMatcher>;
  alarm: ReturnType<typeof createAlarm>;
} {
  const matcher = createMatcher(packOf(pattern('boom', 'boom \\d+', { streams })), CLOCK);
  const alarm = createAlarm(afterReal);
  return { matcher, alarm, live: createLiveMatcher(matcher, () => alarm.ring()) };
}

test('a matching line rings when the writer pauses', async () => {
  const { matcher, live, alarm } = open();
  const sink = live.open(SOURCE);
  sink.push(Buffer.from('nothing here\nboom 1\n'));
  assert.equal(matcher.result().matches.size, 0);
  await alarm.next(5_000, 0);
  assert.equal(matcher.result().matches.get('boom')?.count, 1);
  sink.close();
  assert.equal(matcher.result().matches.get('boom')?.count, 1);
});

test('at the end nothing waits for a pause', () => {
  const { matcher, live } = open();
  const sink = live.open(SOURCE);
  sink.push(Buffer.from('boom 1\n'));
  live.settle();
  assert.equal(matcher.result().matches.get('boom')?.count, 1);
  sink.close();
});

test('a ring before the wait is not lost, and a wait ends by itself', async () => {
  const { alarm } = open();
  alarm.ring();
  await alarm.next(60_000, 0);
  const startMs = performance.now();
  await alarm.next(20, 10);
  assert.ok(performance.now() - startMs >= 15);
  alarm.ringNow();
  await alarm.next(60_000, 60_000);
});

test('a list of one moment counts until the next one is whole, however that ends', async () => {
  const { matcher, live } = open(['processes']);
  const signal = new AbortController();
  const listed = (): number => matcher.result().matches.get('boom')?.count ?? 0;
  await live.replace(
    listOf(async () => 'boom 1\nboom 2\n'),
    signal.signal,
  );
  assert.equal(listed(), 2);
  const next = Promise.withResolvers<string>();
  const replacing = live.replace(
    listOf(() => next.promise),
    signal.signal,
  );
  await new Promise(setImmediate);
  assert.equal(listed(), 2, 'while it is asked for');
  next.resolve('boom 3\n');
  await replacing;
  assert.equal(listed(), 1);
  signal.abort();
  await assert.rejects(
    live.replace(
      listOf(async () => ''),
      signal.signal,
    ),
  );
  assert.equal(listed(), 1, 'the run was stopped meanwhile');
  const refused = async (): Promise<string> => {
    throw new HostError('read-failed', 'ps');
  };
  await live.replace(listOf(refused), new AbortController().signal);
  assert.deepEqual(
    [listed(), matcher.result().sources.length, matcher.result().notChecked.map(({ code }) => code)],
    [0, 0, ['read-failed']],
  );
});

function listOf(text: () => Promise<string>): InputSource {
  const described = { name: 'process list', path: '/live/ps.txt', exported: false, sizeBytes: null };
  return {
    ...described,
    stream: 'processes',
    mtimeMs: null,
    open: async (): Promise<Input> => ({ ...described, notChecked: [], ...bytesSource(Buffer.from(await text())) }),
    survey: async () => ({ head: Buffer.alloc(0), tail: Buffer.alloc(0) }),
  };
}
