// What it means to ship verdicts to a log service: the events, how a shipment ends, and the shipper. Holds no behaviour.
import type { SaidInBoot } from '../types.ts';

/** One verdict on its way. `text` is JSON of at most 64 KiB of UTF-8, redacted. */
export interface ShippedEvent {
  /** The verdict's id: a repeated delivery carries the same. */
  readonly id: string;
  /** When the verdict was made, by the node's clock (Unix time in ms). */
  readonly atMs: number;
  readonly final: boolean;
  /** Of which instance it speaks: what came with an image is not delivered. Null: not known. */
  readonly instanceId: string | null;
  readonly text: string;
  /** All that was said in its boot with it. Stays on the node: where the event is, nobody says it again. */
  readonly said?: SaidInBoot | null;
}

export type ShipOutcome =
  /** `note`: one sentence about what went wrong beside the delivery. */
  | { readonly kind: 'accepted'; readonly note?: string }
  /** It was tried until the signal was aborted: keep the events and try again later. */
  | { readonly kind: 'unreachable'; readonly reason: string; readonly detail: string }
  /** Trying again is useless until somebody changes a permission or a name; `detail` says which. */
  | { readonly kind: 'refused'; readonly reason: string; readonly detail: string };

export interface Shipper {
  /** Accepted means that the service took every event. At least once: an event may arrive twice. Never rejects. */
  ship(events: readonly ShippedEvent[], signal: AbortSignal): Promise<ShipOutcome>;
  /** Ends every connection at once; nothing of the shipper keeps the process alive afterwards. */
  close(): void;
}
