// One attempt to get something from the network: a single time limit and a signal over all its steps, and everything closed
// at its end, however it ends. Knows no protocol.
import { type Limits, type NetworkCode, NetworkError } from './network.ts';

/** The first call counts, later ones do nothing. */
export interface Settle<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: NetworkError) => void;
}

export class Attempt {
  /** Where it is being connected to; the errors of this and later steps name it. */
  address: string | null = null;
  readonly #startMs = performance.now();
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #closers: (() => void)[] = [];
  readonly #abort = (): void => this.#interrupt('aborted');
  #over: 'time' | 'aborted' | null;
  #onOver: () => void = () => {};

  constructor({ timeLimitMs, signal }: Limits) {
    this.#signal = signal;
    this.#over = signal.aborted ? 'aborted' : null;
    this.#timer = setTimeout(() => this.#interrupt('time'), timeLimitMs);
    signal.addEventListener('abort', this.#abort, { once: true });
  }

  elapsedMs(): number {
    return Math.round(performance.now() - this.#startMs);
  }

  /** `close` is called once, when the attempt is over. */
  atEnd(close: () => void): void {
    this.#closers.push(close);
  }

  /** One step at a time. `late` is what it means if the time ends during this step. @throws NetworkError */
  during<T>(late: NetworkCode, begin: (settle: Settle<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#onOver = () =>
        reject(new NetworkError(this.#over === 'aborted' ? 'aborted' : late, 'time limit', { address: this.address }));
      if (this.#over === null) begin({ resolve, reject });
      else this.#onOver();
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#abort);
    for (const close of this.#closers.toReversed()) close();
  }

  #interrupt(reason: 'time' | 'aborted'): void {
    this.#over ??= reason;
    this.#onOver();
  }
}

/** @throws NetworkError, and whatever `work` throws */
export async function attempt<T>(limits: Limits, work: (within: Attempt) => Promise<T>): Promise<T> {
  const within = new Attempt(limits);
  try {
    return await work(within);
  } finally {
    within.end();
  }
}
