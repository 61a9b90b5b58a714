// Shipments over a spool on a disk that is too slow or gone; with a real spool they are tested with the ladder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShipments } from '../../../src/sinks/spool/shipment.ts';
import type { Claim, Claimed, Put, Spool } from '../../../src/sinks/spool/spool.ts';
import { eventOf, fakeShipper, idOf, UNREACHABLE } from '../fakes.ts';

const NOTHING: Claimed = { claims: [], damaged: 0, foreign: 0 };
const never = <T>(): Promise<T> => new Promise<T>(() => {});

function spoolWith(change: Partial<Spool>): Spool {
  return { put: never, claim: async () => NOTHING, count: async () => 0, ...change };
}

function claimOf(settled: string[]): Claim {
  return { order: 1, event: eventOf(1), remove: async () => void settled.push('removed'), release: async () => void settled.push('released') };
}

test('a disk that does not answer holds nothing up', async () => {
  const shipper = fakeShipper();
  const shipments = createShipments(spoolWith({ claim: never }), async () => shipper, String);
  const startMs = performance.now();
  const { end, notes } = await shipments.ship(eventOf(1), AbortSignal.timeout(10_000));
  assert.ok(performance.now() - startMs < 1_800);
  assert.equal(end.kind, 'accepted');
  assert.deepEqual(
    notes.map(({ code }) => code),
    ['write-slow'],
  );
});

for (const { outcome, settled } of [
  { outcome: undefined, settled: 'removed' },
  { outcome: UNREACHABLE, settled: 'released' },
])
  test(`a disk that comes round later: what was kept then is ${settled}`, async () => {
    const done: string[] = [];
    const put = Promise.withResolvers<Put>();
    const shipper = fakeShipper(outcome && (() => outcome));
    const shipments = createShipments(spoolWith({ put: () => put.promise }), async () => shipper, String);
    await shipments.ship(eventOf(1), AbortSignal.timeout(10_000));
    assert.deepEqual([shipper.calls, done], [[[idOf(1)]], []]);
    put.resolve({ claim: claimOf(done), dropped: 0, durable: Promise.reject(new Error('EIO')) });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done, [settled]);
  });

test('what the disk says too late is told, unless the verdict is taken', async () => {
  const failing = {
    put: async (): Promise<Put> => ({ claim: claimOf([]), dropped: 2, durable: Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' })) }),
  };
  const codes = async (shipper: ReturnType<typeof fakeShipper>): Promise<string[]> => {
    const { notes } = await createShipments(spoolWith(failing), async () => shipper, String).ship(eventOf(1), AbortSignal.timeout(10_000));
    return notes.map(({ code }) => code);
  };
  assert.deepEqual(await codes(fakeShipper(() => UNREACHABLE)), ['spool-dropped', 'disk-full']);
  assert.deepEqual(await codes(fakeShipper()), ['spool-dropped']);
});
