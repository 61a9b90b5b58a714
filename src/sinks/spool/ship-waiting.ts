// Ships what waits in the spool, the oldest first and in batches, until nothing is left or the log service does not take it.
import { type DeliveryNote, deliveryErrorOf } from '../codes.ts';
import { withinSignal, within } from '../../lib/within.ts';
import { ABORT_GRACE_MS, LIST_LIMIT_MS, REMOVE_LIMIT_MS } from '../limits.ts';
import type { ShippedEvent, Shipper, ShipOutcome } from '../shipper.ts';
import { type Spool, SPOOL } from './spool.ts';

export type Shipped =
  | ShipOutcome
  /** There was nothing to ship. */
  | { readonly kind: 'nothing' }
  /** A later shipment took it along. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'client-failed'; readonly reason: string; readonly detail: string };

/** With 64 KiB an event, well below what one call of the service takes. */
export const BATCH_EVENTS = 12;
export const ABORTED = { kind: 'unreachable', reason: 'aborted', detail: '' } as const;

/** What went wrong with the spool, each kind once. */
export class SpoolNotes {
  readonly all: DeliveryNote[] = [];

  add(note: Omit<DeliveryNote, 'what'>): void {
    if (!this.all.some(({ code }) => code === note.code)) this.all.push({ what: SPOOL, ...note });
  }

  fail(error: unknown): void {
    const { code, detail } = deliveryErrorOf(error, SPOOL);
    this.add({ code, detail });
  }
}

export interface Item {
  readonly event: ShippedEvent;
  /** Null: the spool did not take it, so it is shipped from memory. */
  readonly name: string | null;
}

export class Shipment {
  readonly #spool: Spool;
  readonly #open: () => Promise<Shipper>;
  readonly #notes: SpoolNotes;
  readonly #signal: AbortSignal;
  /** Delivered, though their files may be there still. */
  readonly #done = new Set<string>();
  /** Files were damaged, or of another instance: the new event may be among them. */
  #hasLost = false;
  accepted = 0;

  constructor(spool: Spool, open: () => Promise<Shipper>, notes: SpoolNotes, signal: AbortSignal) {
    this.#spool = spool;
    this.#open = open;
    this.#notes = notes;
    this.#signal = signal;
  }

  /** `newest`: with its name if the spool took it, where it may have been taken along by another run. */
  async shipAll(newest: Item | null, instanceId: string | null): Promise<Shipped> {
    let end: Shipped = { kind: 'nothing' };
    for (let unlisted = newest; ;) {
      const listed = await this.#list(instanceId);
      const older = listed ?? [];
      const isLast = older.length < BATCH_EVENTS;
      const isFromMemory =
        isLast &&
        unlisted !== null &&
        (listed === null || unlisted.name === null || this.#hasLost) &&
        !older.some(({ event }) => event.id === unlisted!.event.id);
      const batch = isFromMemory ? [...older, unlisted!] : older;
      if (isLast) unlisted = null;
      if (batch.length === 0) return end;
      end = await this.#shipBatch(batch);
      if (end.kind !== 'accepted') return end;
    }
  }

  /** Null if the spool cannot be read. */
  async #list(instanceId: string | null): Promise<readonly Item[] | null> {
    try {
      const listed = await within(
        this.#spool.oldest({ most: BATCH_EVENTS, except: this.#done, instanceId }),
        LIST_LIMIT_MS,
      );
      if (listed.late) {
        this.#notes.add({ code: 'write-slow', detail: '' });
        return null;
      }
      const { waiting, damaged, foreign } = listed.value;
      this.#hasLost ||= damaged + foreign > 0;
      if (damaged > 0) this.#notes.add({ code: 'spool-damaged', detail: String(damaged) });
      if (foreign > 0) this.#notes.add({ code: 'spool-other-instance', detail: String(foreign) });
      return waiting;
    } catch (error) {
      this.#notes.fail(error);
      return null;
    }
  }

  async #shipBatch(batch: readonly Item[]): Promise<Shipped> {
    const end = await this.#ship(batch);
    if (end.kind !== 'refused' || batch.length === 1) return end;
    return this.#shipOneByOne(batch, end);
  }

  /** One event that the service never takes must not keep the others back. The newest tells whether any is taken at all. */
  async #shipOneByOne(batch: readonly Item[], refusal: Shipped): Promise<Shipped> {
    const end = await this.#ship([batch.at(-1)!]);
    if (end.kind !== 'accepted') return end.kind === 'refused' ? refusal : end;
    let refused = 0;
    for (const item of batch.slice(0, -1)) {
      const { kind } = await this.#ship([item]);
      if (kind === 'accepted') continue;
      if (kind !== 'refused') return end;
      await this.#remove([item]);
      refused++;
    }
    if (refused > 0) this.#notes.add({ code: 'events-refused', detail: String(refused) });
    return end;
  }

  async #ship(items: readonly Item[]): Promise<Exclude<Shipped, { kind: 'nothing' | 'superseded' }>> {
    try {
      const opened = await withinSignal(this.#open(), this.#signal, 0);
      if (opened.late) return ABORTED;
      const events = items.map(({ event }) => event);
      const shipped = await withinSignal(opened.value.ship(events, this.#signal), this.#signal, ABORT_GRACE_MS);
      if (shipped.late) return ABORTED;
      if (shipped.value.kind === 'accepted') {
        this.accepted += items.length;
        await this.#remove(items);
      }
      return shipped.value;
    } catch (error) {
      return { kind: 'client-failed', reason: 'client-failed', detail: (error as Error).message };
    }
  }

  async #remove(items: readonly Item[]): Promise<void> {
    const names = items.map(({ name }) => name).filter((name) => name !== null);
    for (const name of names) this.#done.add(name);
    await within(this.#spool.remove(names), REMOVE_LIMIT_MS);
  }
}
