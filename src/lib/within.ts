// Waits for work no longer than a limit. What is late goes on by itself; it is not ended, since a write to a stuck disk cannot be.

export type Waited<T> = { readonly late: false; readonly value: T } | { readonly late: true };

/** Rejects as the work does, unless it was late: then nobody hears of it. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<Waited<T>> {
  const { promise: limit, resolve } = Promise.withResolvers<Waited<T>>();
  const timer = setTimeout(() => resolve({ late: true }), limitMs);
  try {
    return await Promise.race([work.then((value): Waited<T> => ({ late: false, value })), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Late as soon as the signal is aborted, or `graceMs` after that. */
export async function withinSignal<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<Waited<T>> {
  const { promise: limit, resolve } = Promise.withResolvers<Waited<T>>();
  let timer: NodeJS.Timeout | undefined;
  const abort = (): void => {
    timer = setTimeout(() => resolve({ late: true }), graceMs);
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work.then((value): Waited<T> => ({ late: false, value })), limit]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
