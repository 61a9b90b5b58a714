// Counts what one run has unpacked, over all archives and compressed files together.
import type { ByteSource } from '../../host/host.ts';
import type { CollectLimits } from '../input.ts';

export class Budget {
  readonly limits: CollectLimits;
  #bytes = 0;
  #members = 0;
  #isSpent = false;

  constructor(limits: CollectLimits) {
    this.limits = limits;
  }

  /** Another one with the same limits, for what is only looked at. */
  unspent(): Budget {
    return new Budget(this.limits);
  }

  /** How many of these bytes may still come out; fewer than asked once the limit is reached. */
  takeBytes(bytes: number): number {
    const granted = Math.min(bytes, this.limits.unpackedBytes - this.#bytes);
    this.#bytes += granted;
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
