// Ships events in batches, the oldest first, and sees to it that each one is removed from the spool or given back to it.
import { type DeliveryNote, deliveryErrorOf } from '../codes.ts';
import type { ShippedEvent, Shipper, ShipOutcome } from '../shipping.ts';
import { type Claim, type Claimed, type Spool, SPOOL } from './spool.ts';
import { within, withinSignal } from '../../lib/within.ts';

export type Shipped =
  | ShipOutcome
  /** There was nothing to ship. */
  | { readonly kind: 'nothing' }
  /** A later shipment took it along. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'client-failed'; readonly reason: string; readonly detail: string };

/** With 64 KiB an event, well below what one call of the service takes. */
const BATCH_EVENTS = 12;
/** How long the spool may take to say what waits, and to take note of what was delivered. */
const CLAIM_LIMIT_MS = 500;
const SETTLE_LIMIT_MS = 2_000;
/** A shipper that does not hear the signal is left behind. */
const ABORT_GRACE_MS = 250;

export interface Item {
  readonly event: ShippedEvent;
  /** Null: the spool did not take it, so it is shipped from memory. */
  readonly claim: Claim | null;
}

/** What went wrong with the spool, each kind once. */
export class Notes {
  readonly all: DeliveryNote[] = [];

  add(note: DeliveryNote): void {
    if (!this.all.some(({ code }) => code === note.code)) this.all.push(note);
  }

  fail(error: unknown): void {
    const { code, detail } = deliveryErrorOf(error, SPOOL);
    this.add({ what: SPOOL, code, detail });
  }
}

export class Shipping {
  readonly #spool: Spool;
  readonly #open: () => Promise<Shipper>;
  readonly #notes: Notes;
  readonly #signal: AbortSignal;
  accepted = 0;

  constructor(spool: Spool, open: () => Promise<Shipper>, notes: Notes, signal: AbortSignal) {
    this.#spool = spool;
    this.#open = open;
    this.#notes = notes;
    this.#signal = signal;
  }

  /** What waits goes first, then the new one. */
  async shipAll(newest: Item | null): Promise<Shipped> {
    const before = newest?.claim?.order ?? Infinity;
    const most = BATCH_EVENTS - (newest === null ? 0 : 1);
    let end: Shipped = { kind: 'nothing' };
    for (let isLast = false; !isLast;) {
      const older = await this.#claim(before, most);
      isLast = older.length < most;
      const batch = isLast && newest !== null ? [...older, newest] : older;
      if (batch.length === 0) return end;
      end = await this.#shipBatch(batch);
      if (end.kind === 'accepted') continue;
      if (!isLast && newest !== null) await release([newest]);
      return end;
    }
    return end;
  }

  async #claim(before: number, most: number): Promise<Item[]> {
    const claiming = this.#spool.claim({ before, most });
    try {
      const claimed = await within(claiming, CLAIM_LIMIT_MS);
      if (!claimed.late) return this.#itemsOf(claimed.value);
      this.#notes.add({ what: SPOOL, code: 'write-slow', detail: '' });
      void claiming.then(({ claims }) => Promise.all(claims.map((claim) => claim.release()))).catch(() => undefined);
    } catch (error) {
      this.#notes.fail(error);
    }
    return [];
  }

  #itemsOf({ claims, damaged, foreign }: Claimed): Item[] {
    if (damaged > 0) this.#notes.add({ what: SPOOL, code: 'spool-damaged', detail: String(damaged) });
    if (foreign > 0) this.#notes.add({ what: SPOOL, code: 'spool-other-instance', detail: String(foreign) });
    return claims.map((claim) => ({ event: claim.event, claim }));
  }

  /** Every item is removed or released afterwards. */
  async #shipBatch(batch: readonly Item[]): Promise<Shipped> {
    const end = await this.#shipEvents(batch);
    if (end.kind === 'accepted') await this.#remove(batch);
    else if (end.kind === 'refused' && batch.length > 1) return this.#shipOneByOne(batch, end);
    else await release(batch);
    return end;
  }

  /** One event that the service never takes must not keep the others back. The newest tells whether any is taken at all. */
  async #shipOneByOne(batch: readonly Item[], refusal: Shipped): Promise<Shipped> {
    const newest = batch.at(-1)!;
    const end = await this.#shipEvents([newest]);
    if (end.kind !== 'accepted') {
      await release(batch);
      return end.kind === 'refused' ? refusal : end;
    }
    await this.#remove([newest]);
    let refused = 0;
    for (const item of batch.slice(0, -1)) {
      const { kind } = await this.#shipEvents([item]);
      if (kind === 'accepted') await this.#remove([item]);
      else if (kind !== 'refused') await release([item]);
      else {
        await eachClaim([item], (claim) => claim.remove());
        refused++;
      }
    }
    if (refused > 0) this.#notes.add({ what: SPOOL, code: 'events-refused', detail: String(refused) });
    return end;
  }

  async #shipEvents(items: readonly Item[]): Promise<Exclude<Shipped, { kind: 'nothing' | 'superseded' }>> {
    try {
      const opened = await withinSignal(this.#open(), this.#signal, 0);
      if (opened.late) return ABORTED;
      const events = items.map(({ event }) => event);
      const shipped = await withinSignal(opened.value.ship(events, this.#signal), this.#signal, ABORT_GRACE_MS);
      return shipped.late ? ABORTED : shipped.value;
    } catch (error) {
      return { kind: 'client-failed', reason: 'client-failed', detail: (error as Error).message };
    }
  }

  async #remove(items: readonly Item[]): Promise<void> {
    this.accepted += items.length;
    await eachClaim(items, (claim) => claim.remove());
  }
}

const ABORTED = { kind: 'unreachable', reason: 'aborted', detail: '' } as const;

async function release(items: readonly Item[]): Promise<void> {
  await eachClaim(items, (claim) => claim.release());
}

/** What a stuck disk leaves claimed is free again when this process is gone. */
async function eachClaim(items: readonly Item[], settle: (claim: Claim) => Promise<void>): Promise<void> {
  const claims = items.map(({ claim }) => claim).filter((claim) => claim !== null);
  await within(Promise.all(claims.map(settle)), SETTLE_LIMIT_MS);
}
