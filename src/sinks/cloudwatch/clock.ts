// The clock of the log service beside the node's own, which may be wrong: decides the time of every event and writes both
// times into events whose own cannot be used. Reads no clock itself.
import { isoInstant } from '../../lib/instant.ts';
import { parseObject } from '../../lib/parse-json.ts';
import type { TimedEvent } from './batch.ts';
import type { ShippedEvent } from '../shipper.ts';

const CLOCK_OFF_MS = 5 * 60_000;
/** The service takes events from 14 days ago to 2 hours ahead; a minute of each is left for the way. */
const PAST_MAX_MS = (14 * 24 * 60 - 1) * 60_000;
const FUTURE_MAX_MS = (2 * 60 - 1) * 60_000;

export interface ServiceClock {
  /** What the service's clock is ahead of the node's, in ms; 0 while nothing was heard of it. */
  readonly offsetMs: number;
  readonly isNodeOff: boolean;
  /** Takes the Date header of an answer that has just arrived. */
  readonly hear: (date: string | undefined) => void;
  /** `now`: the event gets the time of its delivery, since the service did not take its own. */
  place(event: ShippedEvent, now: boolean): TimedEvent;
}

/** `wallMs`: the node's clock, Unix time in ms. */
export function createServiceClock(wallMs: () => number): ServiceClock {
  let offsetMs = 0;
  const isNodeOff = (): boolean => Math.abs(offsetMs) > CLOCK_OFF_MS;
  return {
    get offsetMs() {
      return offsetMs;
    },
    get isNodeOff() {
      return isNodeOff();
    },
    hear: (date) => {
      const dateMs = Date.parse(date ?? '');
      if (!Number.isNaN(dateMs)) offsetMs = dateMs - wallMs();
    },
    place: (event, now) => {
      const nowMs = wallMs() + offsetMs;
      const meantMs = event.atMs + (isNodeOff() ? offsetMs : 0);
      const isUsable =
        !now && Number.isFinite(meantMs) && meantMs >= nowMs - PAST_MAX_MS && meantMs <= nowMs + FUTURE_MAX_MS;
      const timeMs = Math.round(isUsable ? meantMs : nowMs);
      return { timeMs, text: timeMs === event.atMs ? event.text : withBothTimes(event, timeMs) };
    },
  };
}

/** `nodeTime` and `serviceTime` stand after the other flat keys; metrics get the service's time. Text that is no JSON object stays as it is. */
function withBothTimes(event: ShippedEvent, timeMs: number): string {
  const content = parseObject(event.text);
  if (content === null) return event.text;
  const { verdict, _aws: metrics, ...flat } = content;
  return JSON.stringify({
    ...flat,
    nodeTime: isoInstant(event.atMs),
    serviceTime: isoInstant(timeMs),
    ...(metrics === undefined ? {} : { _aws: { ...(metrics as object), Timestamp: timeMs } }),
    verdict,
  });
}
