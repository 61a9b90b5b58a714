// Takes events to the log service by way of the spool: kept on disk first, shipped in order, removed once they are accepted.
// One shipment runs at a time; one with a new event stops an older one that still tries, and takes its events along.
import type { DeliveryNote } from '../codes.ts';
import { Notes, type Shipped, Shipping } from './ship-batches.ts';
import type { ShippedEvent, Shipper } from '../shipping.ts';
import { type Claim, type Put, type Spool, SPOOL } from './spool.ts';
import { within, withinSignal } from '../../lib/within.ts';

export interface ShipmentReport {
  readonly end: Shipped;
  /** How many events the service took. */
  readonly accepted: number;
  readonly notes: readonly DeliveryNote[];
}

export interface Shipments {
  /**
   * Ships what waits, and then the new event; without one it lets an older shipment end first. `onKept` is called once the new event
   * outlives the process, or the spool does not take it. Returns when all is accepted, at the first failure, or soon after the
   * abort. Never rejects.
   */
  ship(event: ShippedEvent | null, signal: AbortSignal, onKept?: () => void): Promise<ShipmentReport>;
  /** Events that wait; null if the spool cannot be read. */
  waiting(): Promise<number | null>;
  close(): void;
}

/** A disk that needs longer does not hold up the shipping. */
const PUT_LIMIT_MS = 500;
const COUNT_LIMIT_MS = 2_000;
const DURABLE_LIMIT_MS = 1_500;
/** How long an older shipment may take to end by itself, and then to give its events back. */
const GIVE_WAY_MS = 1_000;
const STOP_LIMIT_MS = 1_000;

/** `destination` names where the shipper goes as far as it is known by now; when it changes, another one is opened. */
export function createShipments(spool: Spool, openShipper: () => Promise<Shipper>, destination: () => string): Shipments {
  let opening: { readonly to: string; readonly shipper: Promise<Shipper> } | null = null;
  let current: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;

  const open = async (): Promise<Shipper> => {
    const to = destination();
    if (opening?.to !== to) {
      closeLater(opening?.shipper);
      opening = { to, shipper: openShipper() };
    }
    const mine = opening;
    try {
      return await mine.shipper;
    } catch (error) {
      if (opening === mine) opening = null;
      throw error;
    }
  };

  const run = async (event: ShippedEvent | null, before: typeof current, signal: AbortSignal, onKept: () => void): Promise<ShipmentReport> => {
    const notes = new Notes();
    // Loading the client takes as long as the disk; it is waited for when there is something to ship.
    if (event !== null) open().catch(() => undefined);
    const kept = event === null ? null : await keep(spool, event, notes);
    onKept();
    if (before !== null) await (event === null ? withinSignal(before.ended, signal, 0) : takeOver(before));
    const shipping = new Shipping(spool, open, notes, signal);
    const end = await shipping.shipAll(event === null ? null : { event, claim: kept?.claim ?? null });
    await kept?.settle(end.kind === 'accepted');
    return { end, accepted: shipping.accepted, notes: notes.all };
  };

  return {
    async ship(event, signal, onKept = () => {}) {
      const stop = new AbortController();
      const before = current;
      const running = run(event, before, AbortSignal.any([signal, stop.signal]), onKept);
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
    close() {
      closeLater(opening?.shipper);
      opening = null;
    },
  };
}

function closeLater(shipper: Promise<Shipper> | undefined): void {
  void shipper?.then(
    (opened) => opened.close(),
    () => undefined,
  );
}

/** The older shipment ends by itself or is stopped; its events are free then. */
async function takeOver(before: { readonly stop: AbortController; readonly ended: Promise<unknown> }): Promise<void> {
  if (!(await within(before.ended, GIVE_WAY_MS)).late) return;
  before.stop.abort();
  await within(before.ended, STOP_LIMIT_MS);
}

interface Kept {
  /** Null while the disk has not taken it. */
  readonly claim: Claim | null;
  /** Waits for the disk, unless the event is not needed any more. */
  settle(isAccepted: boolean): Promise<void>;
}

async function keep(spool: Spool, event: ShippedEvent, notes: Notes): Promise<Kept> {
  const putting = spool.put(event);
  try {
    const put = await within(putting, PUT_LIMIT_MS);
    if (put.late) {
      notes.add({ what: SPOOL, code: 'write-slow', detail: '' });
      return { claim: null, settle: async (isAccepted) => void settleLate(putting, isAccepted) };
    }
    const { claim, dropped, durable } = put.value;
    if (dropped > 0) notes.add({ what: SPOOL, code: 'spool-dropped', detail: String(dropped) });
    durable.catch(() => undefined);
    return { claim, settle: async (isAccepted) => (isAccepted ? undefined : awaitDisk(durable, notes)) };
  } catch (error) {
    notes.fail(error);
    return { claim: null, settle: async () => {} };
  }
}

/** The disk may come round after the shipment is over. */
async function settleLate(putting: Promise<Put>, isAccepted: boolean): Promise<void> {
  const put = await putting.catch(() => null);
  put?.durable.catch(() => undefined);
  await (isAccepted ? put?.claim.remove() : put?.claim.release());
}

async function awaitDisk(durable: Promise<void>, notes: Notes): Promise<void> {
  try {
    if ((await within(durable, DURABLE_LIMIT_MS)).late) notes.add({ what: SPOOL, code: 'write-slow', detail: '' });
  } catch (error) {
    notes.fail(error);
  }
}
