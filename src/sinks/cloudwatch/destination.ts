// One log stream and the way into it: creates what may be created, puts what is left of an upload, and says in one sentence
// which permission or group is missing. Tries everything once.
import { partitionOf } from '../../aws/partitions.ts';
import { NetworkError } from '../../host/network/network.ts';
import { firstBatch, type TimedEvent } from './batch.ts';
import type { LogsClient } from './client.ts';
import type { ServiceClock } from './clock.ts';
import { isDenied, Refused } from './faults.ts';
import type { ShippedEvent } from '../shipper.ts';

export interface DestinationOptions {
  readonly logGroup: string;
  readonly logStream: string;
  readonly createLogGroup: boolean;
  readonly retentionDays: number;
  readonly account: string | null;
}

/** Events on their way; what was accepted is not sent again by the next attempt. */
export interface Upload {
  /** Resolves when the service has accepted all of them, with what should be known beside that. @throws Refused, or an error to be judged */
  attempt(client: LogsClient, signal: AbortSignal): Promise<string | null>;
}

export interface Destination {
  begin(events: readonly ShippedEvent[]): Upload;
}

interface Pending extends TimedEvent {
  readonly event: ShippedEvent;
}

export function createDestination(options: DestinationOptions, clock: ServiceClock): Destination {
  const { logGroup: group, logStream: stream, createLogGroup, retentionDays } = options;
  let isStreamThere = false;
  let isRetentionDue = false;

  const createGroup = async (client: LogsClient, signal: AbortSignal): Promise<void> => {
    if (!createLogGroup)
      throw new Refused(
        'group-missing',
        `The log group ${group} does not exist in ${client.region}. Create it, or allow that with --create-log-group.`,
      );
    try {
      await client.createGroup(signal);
      isRetentionDue = true;
    } catch (error) {
      if (isDenied(error)) throw groupMissing(client);
      if (isNamed(error, 'LimitExceededException'))
        throw new Refused(
          'group-limit',
          `The account cannot have more log groups in ${client.region}: create ${group} or name another with --log-group.`,
        );
      if (!isNamed(error, 'ResourceAlreadyExistsException')) throw error;
    }
  };

  /** Without the permission to create a stream it may be there all the same: that shows when events are put. */
  const createStream = async (client: LogsClient, signal: AbortSignal): Promise<void> => {
    try {
      await client.createStream(signal);
    } catch (error) {
      if (isDenied(error)) return;
      if (!isNamed(error, 'ResourceAlreadyExistsException')) throw error;
    }
    isStreamThere = true;
  };

  const createStreamInGroup = async (client: LogsClient, signal: AbortSignal): Promise<void> => {
    try {
      await createStream(client, signal);
    } catch (error) {
      if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      await createGroup(client, signal);
      await createStream(client, signal);
    }
  };

  const put = async (
    client: LogsClient,
    batch: readonly Pending[],
    signal: AbortSignal,
  ): Promise<readonly Pending[]> => {
    const answer = await client.put(batch, signal).catch((error: unknown) => {
      if (isDenied(error)) throw denied('logs:PutLogEvents', client, `:log-stream:${stream}`);
      if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      if (!isStreamThere) throw denied('logs:CreateLogStream', client, '');
      isStreamThere = false;
      throw error;
    });
    const { $metadata: metadata, nextSequenceToken, rejectedLogEventsInfo: rejected } = answer;
    // Something on the way may answer 200 for whatever it is asked.
    if (metadata.httpStatusCode !== 200 || (metadata.requestId === undefined && nextSequenceToken === undefined)) {
      throw new NetworkError('answer-malformed', `${metadata.httpStatusCode ?? 'no'} status, no acceptance`);
    }
    if (rejected === undefined) return [];
    const {
      tooOldLogEventEndIndex = 0,
      expiredLogEventEndIndex = 0,
      tooNewLogEventStartIndex = batch.length,
    } = rejected;
    const refused = batch.filter(
      (_, index) =>
        index < Math.max(tooOldLogEventEndIndex, expiredLogEventEndIndex) || index >= tooNewLogEventStartIndex,
    );
    return refused.length === 0 ? batch : refused;
  };

  /** Delivery does not depend on it, so that a failure is only told; a later delivery tries again. */
  const setRetention = async (client: LogsClient, signal: AbortSignal): Promise<string | null> => {
    if (!isRetentionDue) return null;
    try {
      await client.setRetention(retentionDays, signal);
      isRetentionDue = false;
      return null;
    } catch (error) {
      return isDenied(error)
        ? denied('logs:PutRetentionPolicy', client, '').detail
        : `The retention of ${group} could not be set.`;
    }
  };

  const allow = (action: string, { region }: LogsClient, below: string): string =>
    `allow ${action} on arn:${partitionOf(region)?.name ?? 'aws'}:logs:${region}:${options.account ?? '*'}:log-group:${group}${below}`;

  const denied = (action: string, client: LogsClient, below: string): Refused =>
    new Refused('access-denied', `The instance role lacks a permission: ${allow(action, client, below)}.`);

  const groupMissing = (client: LogsClient): Refused =>
    new Refused(
      'group-missing',
      `The log group ${group} does not exist in ${client.region}, and the instance role may not create it: create it, or ${allow('logs:CreateLogGroup', client, '')}.`,
    );

  return {
    begin: (events) => {
      let waiting: readonly ShippedEvent[] = events;
      const rejectedOnce = new Set<ShippedEvent>();
      return {
        attempt: async (client, signal) => {
          if (waiting.length > 0 && !isStreamThere) await createStreamInGroup(client, signal);
          while (waiting.length > 0) {
            const placed = waiting.map((event): Pending => ({ ...clock.place(event, rejectedOnce.has(event)), event }));
            const batch = firstBatch(placed);
            const rejected = (await put(client, batch, signal)).map(({ event }) => event);
            if (rejected.some((event) => rejectedOnce.has(event)))
              throw new Refused('event-rejected', 'CloudWatch Logs does not take the time of an event.');
            for (const event of rejected) rejectedOnce.add(event);
            const accepted = new Set(batch.map(({ event }) => event).filter((event) => !rejected.includes(event)));
            waiting = waiting.filter((event) => !accepted.has(event));
          }
          return setRetention(client, signal);
        },
      };
    },
  };
}

function isNamed(error: unknown, name: string): boolean {
  return (error as Error).name === name;
}
