// Puts log events in the order and the batches that one PutLogEvents call takes. Sends nothing.
// Limits: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html

export interface TimedEvent {
  /** Unix time in ms, by the service's clock. */
  readonly timeMs: number;
  readonly text: string;
}

/** CloudWatch counts so much for every event beside its text. */
export const EVENT_OVERHEAD_BYTES = 26;
export const BATCH_MAX_BYTES = 1_048_576;
const BATCH_MAX_EVENTS = 10_000;
const BATCH_SPAN_MAX_MS = 24 * 60 * 60_000;

/** Oldest first; events of the same time keep their order. Expects that each event alone fits into a batch. */
export function batchesOf<E extends TimedEvent>(events: readonly E[]): E[][] {
  const batches: E[][] = [];
  let bytes = 0;
  for (const event of events.toSorted((a, b) => a.timeMs - b.timeMs)) {
    const batch = batches.at(-1);
    const size = Buffer.byteLength(event.text) + EVENT_OVERHEAD_BYTES;
    const fits =
      batch !== undefined && batch.length < BATCH_MAX_EVENTS && bytes + size <= BATCH_MAX_BYTES && event.timeMs - batch[0]!.timeMs < BATCH_SPAN_MAX_MS;
    if (fits) batch.push(event);
    else batches.push([event]);
    bytes = fits ? bytes + size : size;
  }
  return batches;
}
