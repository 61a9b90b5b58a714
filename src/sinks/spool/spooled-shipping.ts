// Takes events to the log service by way of the spool: kept on disk first, shipped in order, removed once they are accepted.
// One shipment runs at a time; one with a new event stops an older one that still tries, and takes its events along.
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeFacts } from '../../types.ts';
import type { DeliveryNote } from '../codes.ts';
import { within, withinSignal } from '../../lib/within.ts';
import {
  COUNT_LIMIT_MS,
  DURABLE_LIMIT_MS,
  GIVE_WAY_MS,
  GIVE_WAY_STOP_MS,
  LIST_LIMIT_MS,
  PUT_LIMIT_MS,
} from '../limits.ts';
import { RETRY_MS, type Unlock } from '../local/folder-lock.ts';
import type { ShippedEvent, Shipper } from '../shipper.ts';
import { ABORTED, SpoolNotes, Shipment, type Shipped } from './ship-waiting.ts';
import type { Put, Spool } from './spool.ts';

export interface ShipmentReport {
  readonly end: Shipped;
  /** How many events the service took. */
  readonly accepted: number;
  readonly notes: readonly DeliveryNote[];
}

export interface ShipmentRequest {
  /** Null: only what waits. */
  readonly event: ShippedEvent | null;
  /** What is known of the node names where the events go. */
  readonly node: NodeFacts;
  readonly signal: AbortSignal;
  /** Called once the new event outlives the process, or the spool does not take it (false). */
  readonly onKept?: (isKept: boolean) => void;
}

export interface SpooledShipping {
  /**
   * Ships what waits, the new event last; without one it lets an older shipment end first. Returns when all is accepted, at the first
   * failure, or soon after the abort. Never rejects.
   */
  ship(request: ShipmentRequest): Promise<ShipmentReport>;
  /** Events that wait; null if the spool cannot be read. */
  waiting(): Promise<number | null>;
  close(): void;
}

/** Opens a shipper to where the node's verdicts go; `name` tells two such places apart. */
export interface ShipperSource {
  readonly name: (node: NodeFacts) => string;
  readonly open: (node: NodeFacts) => Promise<Shipper>;
}

export function createSpooledShipping(spool: Spool, source: ShipperSource): SpooledShipping {
  const opener = openerOf(source);
  let current: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;

  const run = async (
    { event, node, onKept }: ShipmentRequest,
    before: typeof current,
    signal: AbortSignal,
  ): Promise<ShipmentReport> => {
    const notes = new SpoolNotes();
    const open = (): Promise<Shipper> => opener.open(node);
    // Loading the client takes as long as the disk; it is waited for when there is something to ship.
    if (event !== null) open().catch(() => undefined);
    const kept = event === null ? null : await keep(spool, event, notes);
    onKept?.(kept !== null && kept.name !== null);
    if (before !== null) await (event === null ? withinSignal(before.ended, signal, 0) : takeOver(before));
    const unlock = await lock(spool, signal, notes);
    const shipment = new Shipment(spool, open, notes, signal);
    let end: Shipped = ABORTED;
    try {
      if (unlock !== null)
        end = await shipment.shipAll(event === null ? null : { event, name: kept?.name ?? null }, node.instanceId);
      // Another run has taken it along.
      if (end.kind === 'nothing' && event !== null) end = { kind: 'accepted' };
    } finally {
      await unlock?.();
    }
    await kept?.settle(end.kind === 'accepted');
    return { end, accepted: shipment.accepted, notes: notes.all };
  };

  return {
    async ship(request) {
      const { signal } = request;
      const stop = new AbortController();
      const running = run(request, current, AbortSignal.any([signal, stop.signal]));
      const mine = { stop, ended: running };
      current = mine;
      const report = await running;
      if (current === mine) current = null;
      const isSuperseded = stop.signal.aborted && !signal.aborted && report.end.kind === 'unreachable';
      return isSuperseded ? { ...report, end: { kind: 'superseded' } } : report;
    },
    async waiting() {
      const counted = await within(
        spool.count().catch(() => null),
        COUNT_LIMIT_MS,
      );
      return counted.late ? null : counted.value;
    },
    close: () => opener.close(),
  };
}

/** Where nothing can be written nobody waits either: then it goes on without a lock. Null: aborted while another run held it. */
async function lock(spool: Spool, signal: AbortSignal, notes: SpoolNotes): Promise<Unlock | null> {
  try {
    for (;;) {
      const locking = spool.lock();
      const locked = await within(locking, LIST_LIMIT_MS);
      if (locked.late) {
        notes.add({ code: 'write-slow', detail: '' });
        void locking.then((unlock) => unlock?.()).catch(() => undefined);
        return async () => {};
      }
      if (locked.value !== null || signal.aborted) return locked.value;
      // Two that saw each other must not come back at the same moment.
      await sleep(RETRY_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  } catch (error) {
    notes.fail(error);
    return async () => {};
  }
}

/** The shipper of the latest place; another place opens another one. */
function openerOf({ name, open }: ShipperSource): { open(node: NodeFacts): Promise<Shipper>; close(): void } {
  let opening: { readonly to: string; readonly shipper: Promise<Shipper> } | null = null;
  const close = (): void => {
    void opening?.shipper.then(
      (shipper) => shipper.close(),
      () => undefined,
    );
    opening = null;
  };
  return {
    async open(node) {
      const to = name(node);
      if (opening?.to !== to) {
        close();
        opening = { to, shipper: open(node) };
      }
      const mine = opening;
      try {
        return await mine.shipper;
      } catch (error) {
        if (opening === mine) opening = null;
        throw error;
      }
    },
    close,
  };
}

/** The older shipment ends by itself or is stopped; its events are free then. */
async function takeOver(before: { readonly stop: AbortController; readonly ended: Promise<unknown> }): Promise<void> {
  if (!(await within(before.ended, GIVE_WAY_MS)).late) return;
  before.stop.abort();
  await within(before.ended, GIVE_WAY_STOP_MS);
}

interface Kept {
  /** Null while the disk has not taken it. */
  readonly name: string | null;
  /** Waits for the disk, unless the event is not needed any more. */
  settle(isAccepted: boolean): Promise<void>;
}

async function keep(spool: Spool, event: ShippedEvent, notes: SpoolNotes): Promise<Kept> {
  const putting = spool.put(event);
  try {
    const put = await within(putting, PUT_LIMIT_MS);
    if (put.late) {
      notes.add({ code: 'write-slow', detail: '' });
      return { name: null, settle: async (isAccepted) => void settleLate(spool, putting, isAccepted) };
    }
    const { name, dropped, durable } = put.value;
    if (dropped > 0) notes.add({ code: 'spool-dropped', detail: String(dropped) });
    durable.catch(() => undefined);
    return { name, settle: async (isAccepted) => (isAccepted ? undefined : awaitDisk(durable, notes)) };
  } catch (error) {
    notes.fail(error);
    return { name: null, settle: async () => {} };
  }
}

/** The disk may come round after the shipment is over. */
async function settleLate(spool: Spool, putting: Promise<Put>, isAccepted: boolean): Promise<void> {
  const put = await putting.catch(() => null);
  put?.durable.catch(() => undefined);
  if (isAccepted && put !== null) await spool.remove([put.name]);
}

async function awaitDisk(durable: Promise<void>, notes: SpoolNotes): Promise<void> {
  try {
    if ((await within(durable, DURABLE_LIMIT_MS)).late) notes.add({ code: 'write-slow', detail: '' });
  } catch (error) {
    notes.fail(error);
  }
}
