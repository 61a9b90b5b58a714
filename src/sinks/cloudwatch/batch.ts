// Puts log events in the order in which one PutLogEvents call takes them, and says which go into the first one. Sends nothing.
// Its other limits (10,000 events, 1 MiB) are out of reach: a shipment has at most 12 events of 64 KiB, or logs that were chosen to fit.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html

export interface TimedEvent {
  /** Unix time in ms, by the service's clock. */
  readonly timeMs: number;
  readonly text: string;
}

const SPAN_MAX_MS = 24 * 60 * 60_000;

/** Oldest first; events of the same time keep their order. */
export function firstBatch<E extends TimedEvent>(events: readonly E[]): E[] {
  const ordered = events.toSorted((a, b) => a.timeMs - b.timeMs);
  return ordered.filter(({ timeMs }) => timeMs - ordered[0]!.timeMs < SPAN_MAX_MS);
}
