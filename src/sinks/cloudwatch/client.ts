// The calls to CloudWatch Logs that a delivery makes, one by one, each under a time limit. The SDK finds credentials by its own
// chain: environment, then the instance role by IMDSv2; it reads nothing from a user's files. Repeats nothing.
import { join } from 'node:path';
import {
  CloudWatchLogsClient,
  type CloudWatchLogsClientConfig,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
  type PutLogEventsCommandOutput,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { externalDataInterceptor, getHomeDir } from '@smithy/core/config';
import { attempt } from '../../host/network/attempt.ts';
import { collectBody, type ConnectionOptions, createConnections } from './connections.ts';
import type { TimedEvent } from './batch.ts';

const CALL_LIMIT_MS = 5_000;
const ignore = (): void => {};
/** The SDK would warn on standard error. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

export interface ClientOptions extends ConnectionOptions {
  readonly region: string;
  readonly group: string;
  readonly stream: string;
  /** What the service's clock is known to be ahead of the node's: requests are signed with it. */
  readonly clockOffsetMs: number;
}

/** Every call throws the SDK's error, or NetworkError at its own limit. */
export interface LogsClient {
  readonly region: string;
  readonly isProxied: boolean;
  createStream(signal: AbortSignal): Promise<void>;
  createGroup(signal: AbortSignal): Promise<void>;
  setRetention(days: number, signal: AbortSignal): Promise<void>;
  put(events: readonly TimedEvent[], signal: AbortSignal): Promise<PutLogEventsCommandOutput>;
  close(): void;
}

export function createLogsClient({ region, group, stream, clockOffsetMs, ...below }: ClientOptions): LogsClient {
  closeUserFiles();
  refuseFirstMetadata();
  const connections = createConnections(below);
  const settings = {
    region,
    requestHandler: connections,
    streamCollector: collectBody,
    systemClockOffset: clockOffsetMs,
    // Trying again is for the caller, who knows the deadline.
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    logger: SILENT,
  } as const satisfies CloudWatchLogsClientConfig & { readonly systemClockOffset: number };
  const client = new CloudWatchLogsClient(settings);
  const named = { logGroupName: group, logStreamName: stream };
  return {
    region,
    get isProxied() {
      return connections.isProxied;
    },
    createStream: async (signal) => {
      await bounded(signal, (abortSignal) => client.send(new CreateLogStreamCommand(named), { abortSignal }));
    },
    createGroup: async (signal) => {
      await bounded(signal, (abortSignal) =>
        client.send(new CreateLogGroupCommand({ logGroupName: group }), { abortSignal }),
      );
    },
    setRetention: async (days, signal) => {
      await bounded(signal, (abortSignal) =>
        client.send(new PutRetentionPolicyCommand({ logGroupName: group, retentionInDays: days }), { abortSignal }),
      );
    },
    put: (events, signal) => {
      const logEvents = events.map(({ timeMs, text }) => ({ timestamp: timeMs, message: text }));
      return bounded(signal, (abortSignal) =>
        client.send(new PutLogEventsCommand({ ...named, logEvents }), { abortSignal }),
      );
    },
    close: () => {
      client.destroy();
      connections.destroy();
    },
  };
}

/** Also ends a call that waits where no signal reaches, such as for the instance metadata service. */
function bounded<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return attempt({ timeLimitMs: CALL_LIMIT_MS, signal }, async (within) => {
    const stop = new AbortController();
    within.atEnd(() => stop.abort());
    const end = await within.during<{ readonly value: T } | { readonly error: unknown }>('answer-timeout', (settle) => {
      call(stop.signal).then(
        (value) => settle.resolve({ value }),
        (error: unknown) => settle.resolve({ error }),
      );
    });
    if ('error' in end) throw end.error;
    return end.value;
  });
}

/**
 * Where the second version of the metadata service does not give a token (403, 404, 500), the SDK asks by the first, which
 * anything on the node that forwards requests would answer too. Whatever the environment says: never.
 */
function refuseFirstMetadata(): void {
  process.env['AWS_EC2_METADATA_V1_DISABLED'] = 'true';
}

/** Shared configuration files may start programs and stand on file systems that hang: for the SDK they are empty. */
function closeUserFiles(): void {
  const folder = join(getHomeDir(), '.aws');
  for (const path of [
    process.env['AWS_CONFIG_FILE'] || join(folder, 'config'),
    process.env['AWS_SHARED_CREDENTIALS_FILE'] || join(folder, 'credentials'),
  ])
    externalDataInterceptor.interceptFile(path, '');
}
