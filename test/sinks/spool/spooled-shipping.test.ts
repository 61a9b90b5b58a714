// Shipments over a spool on a disk that is too slow or gone; with a real spool they are tested with the delivery.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpooledShipping, type ShipmentReport } from '../../../src/sinks/spool/spooled-shipping.ts';
import type { Listed, Put, Spool } from '../../../src/sinks/spool/spool.ts';
import { FAILED } from '../../render/verdicts.ts';
import { eventOf, type FakeShipper, fakeShipper, idOf, shippersOf, UNREACHABLE } from '../fakes.ts';

const NOTHING: Listed = { waiting: [], damaged: 0, foreign: 0 };
const NAME = 'name';
const never = <T>(): Promise<T> => new Promise<T>(() => {});

function spoolWith(change: Partial<Spool>): Spool {
  return {
    put: never,
    lock: async () => async () => {},
    oldest: async () => NOTHING,
    remove: async () => {},
    said: async () => null,
    count: async () => 0,
    ...change,
  };
}

function ship(spool: Spool, shipper: FakeShipper): Promise<ShipmentReport> {
  const shipping = createSpooledShipping(
    spool,
    shippersOf(async () => shipper),
  );
  return shipping.ship({ event: eventOf(1), node: FAILED.node, signal: AbortSignal.timeout(10_000) });
}

for (const { what, change } of [
  { what: 'put nor list', change: { oldest: never } },
  { what: 'put nor lock', change: { lock: never } },
  {
    what: 'list what it took',
    change: { put: async (): Promise<Put> => ({ name: NAME, dropped: 0, durable: never() }), oldest: never },
  },
] as const)
  test(`a disk that does not ${what} holds nothing up`, async () => {
    const shipper = fakeShipper();
    const startMs = performance.now();
    const { end, notes } = await ship(spoolWith(change), shipper);
    assert.ok(performance.now() - startMs < 1_800);
    assert.deepEqual([end.kind, shipper.accepted], ['accepted', [idOf(1)]]);
    assert.deepEqual(
      notes.map(({ code }) => code),
      ['write-slow'],
    );
  });

for (const { outcome, removed } of [
  { outcome: undefined, removed: [[], [NAME]] },
  { outcome: UNREACHABLE, removed: [] },
])
  test(`a disk that comes round later: what was kept then ${outcome === undefined ? 'is removed' : 'stays'}`, async () => {
    const done: (readonly string[])[] = [];
    const put = Promise.withResolvers<Put>();
    const shipper = fakeShipper(outcome && (() => outcome));
    await ship(spoolWith({ put: () => put.promise, remove: async (names) => void done.push(names) }), shipper);
    assert.deepEqual(shipper.calls, [[idOf(1)]]);
    put.resolve({ name: NAME, dropped: 0, durable: Promise.reject(new Error('EIO')) });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done, removed);
  });

test('what the disk says too late is told, unless the verdict is taken', async () => {
  const failing = (): Spool => {
    const waiting = [{ name: NAME, event: eventOf(1) }];
    return spoolWith({
      put: async (): Promise<Put> => ({
        name: NAME,
        dropped: 2,
        durable: Promise.reject(Object.assign(new Error('x'), { code: 'ENOSPC' })),
      }),
      oldest: async ({ except }) => ({ ...NOTHING, waiting: waiting.filter(({ name }) => !except.has(name)) }),
    });
  };
  const codes = async (shipper: FakeShipper): Promise<string[]> =>
    (await ship(failing(), shipper)).notes.map(({ code }) => code);
  assert.deepEqual(await codes(fakeShipper(() => UNREACHABLE)), ['spool-dropped', 'disk-full']);
  assert.deepEqual(await codes(fakeShipper()), ['spool-dropped']);
});

test('a file that cannot be removed is shipped once', async () => {
  const shipper = fakeShipper();
  const stuck = spoolWith({
    put: async (): Promise<Put> => ({ name: NAME, dropped: 0, durable: Promise.resolve() }),
    oldest: async ({ except }) => ({
      ...NOTHING,
      waiting: [{ name: NAME, event: eventOf(1) }].filter(({ name }) => !except.has(name)),
    }),
  });
  assert.equal((await ship(stuck, shipper)).end.kind, 'accepted');
  assert.deepEqual(shipper.calls, [[idOf(1)]]);
});

test('while another run delivers, this one waits, and what that one took is taken', async () => {
  let tries = 0;
  const shipper = fakeShipper();
  const busy = spoolWith({
    put: async (): Promise<Put> => ({ name: NAME, dropped: 0, durable: Promise.resolve() }),
    lock: async () => (++tries < 3 ? null : async () => {}),
  });
  const { end, accepted } = await ship(busy, shipper);
  assert.deepEqual([tries, end.kind, accepted, shipper.calls], [3, 'accepted', 0, []]);
});
