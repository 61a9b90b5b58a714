// Lets a caller leave when its signal is aborted, whatever the work does.

/** Rejects with the signal's reason. The work itself goes on; how it ends is then nobody's concern. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const leave = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
