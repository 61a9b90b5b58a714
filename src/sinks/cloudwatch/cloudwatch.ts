// Ships verdicts to CloudWatch Logs: at least once, tried again until the caller's signal, and accepted only when the service
// says so. Knows neither verdicts nor files; what cannot be delivered is the caller's to keep.
import type { SecureContext } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { MetadataError } from '../../aws/instance-metadata.ts';
import type { Network } from '../../host/network/network.ts';
import type { ProxySettings } from '../../host/network/proxy.ts';
import { createLogsClient, type LogsClient } from './client.ts';
import { createServiceClock } from './clock.ts';
import { createDestination } from './destination.ts';
import { type Fault, faultOf, RegionUnknown, type Unreachable } from './faults.ts';
import { findRegion } from './region.ts';
import type { ShippedEvent, Shipper, ShipOutcome } from '../shipper.ts';

export interface CloudWatchOptions {
  readonly logGroup: string;
  readonly logStream: string;
  /** True: the group is created if it is missing. */
  readonly createLogGroup: boolean;
  /** For a group that is created; one of the numbers that CloudWatch takes. */
  readonly retentionDays: number;
  /** Region of the node if it is known; AWS_REGION goes before it, and the instance metadata service is asked if both are missing. */
  readonly region: string | null;
  /** For the text of a refusal; null: `*`. */
  readonly account: string | null;
  readonly network: Network;
  readonly proxy: ProxySettings;
  /** The authorities that this machine trusts: asked for when those that come with Node do not know the service's certificate. */
  readonly systemTrust: () => Promise<SecureContext>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The node's clock, Unix time in ms. */
  readonly wallMs: () => number;
}

const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 10_000;
/** A service that is overloaded is asked less often. */
const THROTTLED_PAUSE_MIN_MS = 1_000;
/** The service refuses signatures that are five minutes off. */
const SIGNATURE_OFF_MS = 4 * 60_000;
const EVENT_MAX_BYTES = 256 * 1024 - 26;

/** Connects to nothing before the first delivery. */
export function createCloudWatchShipper(options: CloudWatchOptions): Shipper {
  const { network, logGroup: group, logStream: stream } = options;
  const clock = createServiceClock(options.wallMs);
  const destination = createDestination(options, clock);
  const closing = new AbortController();
  let region: string | null = null;
  let client: LogsClient | null = null;
  let secureContext: SecureContext | null = null;

  const open = async (signal: AbortSignal): Promise<LogsClient> => {
    region ??= await regionOf(options, signal);
    client ??= createLogsClient({
      region,
      group,
      stream,
      network,
      proxy: options.proxy,
      secureContext,
      clockOffsetMs: clock.offsetMs,
      hear: clock.hear,
    });
    return client;
  };

  /** Makes the next try another one than the last. */
  const renew = async (fault: Fault & { readonly kind: 'unreachable' }): Promise<void> => {
    if (fault.renew === null) return;
    if (fault.renew === 'trust') secureContext ??= await options.systemTrust().catch(() => null);
    client?.close();
    client = null;
  };

  const deliver = async (events: readonly ShippedEvent[], signal: AbortSignal): Promise<ShipOutcome> => {
    const tooLarge = events.find(({ text }) => Buffer.byteLength(text) > EVENT_MAX_BYTES);
    if (tooLarge !== undefined)
      return {
        kind: 'refused',
        reason: 'event-too-large',
        detail: `Event ${tooLarge.id} has more than ${EVENT_MAX_BYTES} bytes.`,
      };
    const upload = destination.begin(events);
    const seen = new Set<Unreachable>();
    let last: { readonly reason: Unreachable; readonly detail: string } = {
      reason: 'stopped',
      detail: 'there was no time for a try',
    };
    let tries = 0;
    while (!signal.aborted) {
      try {
        const note = await upload.attempt(await open(signal), signal);
        return note === null ? { kind: 'accepted' } : { kind: 'accepted', note };
      } catch (error) {
        const fault = faultOf(error, {
          proxied: client?.isProxied ?? false,
          clockOff: Math.abs(clock.offsetMs) > SIGNATURE_OFF_MS,
        });
        if (fault.kind === 'refused') return { kind: 'refused', reason: fault.reason, detail: fault.detail };
        tries += 1;
        if (fault.reason !== 'stopped' || last.reason === 'stopped') last = fault;
        await renew(fault);
        // What the next try does differently may be all that was missing.
        const isWorthAtOnce =
          (fault.renew === 'trust' || fault.renew === 'credentials' || fault.reason === 'clock-skew') &&
          !seen.has(fault.reason);
        seen.add(fault.reason);
        if (!isWorthAtOnce) await sleep(pauseMs(fault.reason, tries), undefined, { signal }).catch(() => undefined);
      }
    }
    return {
      kind: 'unreachable',
      reason: last.reason,
      detail: `${last.reason} (${last.detail}, tried ${tries} times)`,
    };
  };

  return {
    ship: (events, signal) => deliver(events, AbortSignal.any([signal, closing.signal])),
    close: () => {
      closing.abort();
      client?.close();
    },
  };
}

async function regionOf(
  { environment, region: known, network }: CloudWatchOptions,
  signal: AbortSignal,
): Promise<string> {
  const found = await findRegion(environment, known, network, signal).catch((error: unknown) => {
    if (error instanceof MetadataError) throw new RegionUnknown(`the instance metadata service: ${error.reason}`);
    throw error;
  });
  if (found === null) throw new RegionUnknown('the instance metadata service does not say it');
  return found;
}

/** Twice as long each time, and never the same for two nodes. */
function pauseMs(reason: Unreachable, tries: number): number {
  const least = reason === 'throttled' ? THROTTLED_PAUSE_MIN_MS : PAUSE_MIN_MS;
  return Math.min(PAUSE_MAX_MS, least * 2 ** Math.min(tries - 1, 10)) * (0.5 + Math.random() / 2);
}
