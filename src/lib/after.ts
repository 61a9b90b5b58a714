// Waits by a timer that can be exchanged, so that a test can let a boot of minutes pass in seconds.

/** Calls back once so many ms have passed, unless it is called off by what it returns. */
export type After = (ms: number, call: () => void) => () => void;

export const afterReal: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Resolves after so many ms, at once when the signal is aborted. */
export async function pause(after: After, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const callOff = after(Math.max(0, ms), end);
  signal.addEventListener('abort', end, { once: true });
  await promise;
  callOff();
  signal.removeEventListener('abort', end);
}
