// Counts what one run has unpacked, over all archives and compressed files together.
import type { ByteSource } from '../../host/host.ts';
import type { CollectLimits } from '../input.ts';

/** Always allowed; and beyond it what logs swell to: they are 10 to 25 times their packed size, a bomb a thousand times and more. */
const PLAIN_BYTES = 1024 ** 3;
const SWELLING_MAX = 40;

export class Budget {
  readonly limits: CollectLimits;
  readonly #onUnpacked: ((bytes: number) => void) | undefined;
  #bytes = 0;
  #packedBytes = 0;
  #members = 0;
  #isSpent = false;

  constructor(limits: CollectLimits, onUnpacked?: (bytes: number) => void) {
    this.limits = limits;
    this.#onUnpacked = onUnpacked;
  }

  /** Another one with the same limits, for what is only looked at. */
  unspent(): Budget {
    return new Budget(this.limits);
  }

  /** What was given as packed, null if nobody knows how much it is. What is packed within it does not count. */
  addPacked(bytes: number | null, depth: number): void {
    if (depth === 0) this.#packedBytes += bytes ?? Infinity;
  }

  /** How many of these bytes may still come out; fewer than asked once the limit is reached. */
  takeBytes(bytes: number): number {
    const limit = Math.min(this.limits.unpackedBytes, Math.max(PLAIN_BYTES, this.#packedBytes * SWELLING_MAX));
    const granted = Math.max(0, Math.min(bytes, limit - this.#bytes));
    this.#bytes += granted;
    this.#onUnpacked?.(this.#bytes);
    if (granted < bytes) this.#isSpent = true;
    return granted;
  }

  takeMember(): boolean {
    return ++this.#members <= this.limits.members;
  }

  /** True if something was cut off by the limit of bytes. */
  isSpent(): boolean {
    return this.#isSpent;
  }

  /** A source that ends when the budget does. */
  metered(source: ByteSource): ByteSource {
    return {
      read: async (into) => this.takeBytes(await source.read(into)),
      close: () => source.close(),
    };
  }
}
