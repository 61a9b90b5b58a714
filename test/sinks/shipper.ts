// A shipper for tests: to a server on this machine, with credentials from a stand-in for the instance metadata service.
import { createSecureContext } from 'node:tls';
import type { TestContext } from 'node:test';
import { createNetwork } from '../../src/host/network/create-network.ts';
import { NO_PROXY_SETTINGS } from '../../src/host/network/proxy.ts';
import type { ResolverSettings } from '../../src/host/network/resolver-settings.ts';
import { type CloudWatchOptions, createCloudWatchShipper } from '../../src/sinks/cloudwatch/cloudwatch.ts';
import type { ShippedEvent, Shipper } from '../../src/sinks/shipper.ts';

/** A name in no DNS: whoever finds it has asked our own resolver. */
export const SERVER_NAME = 'logs.test';
export const PROXY_NAME = 'proxy.test';

const localHost = [{ address: '127.0.0.1', family: 4 as const }];
export const LOCAL: ResolverSettings = {
  nameservers: [],
  hosts: new Map([SERVER_NAME, PROXY_NAME].map((name) => [name, localHost])),
};

const CREDENTIALS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'];

export const EVENT: ShippedEvent = eventOf('1');

export function eventOf(id: string, atMs: number = Date.now(), more: object = {}): ShippedEvent {
  return {
    id,
    atMs,
    final: false,
    instanceId: null,
    text: JSON.stringify({ id, final: false, ...more, verdict: { schemaVersion: 1 } }),
  };
}

export interface Surroundings {
  readonly server: { readonly url: string };
  readonly metadata: { readonly url: string };
}

/** The SDK reads its endpoints from the environment of the process. */
export function openShipper(
  t: TestContext,
  { server, metadata }: Surroundings,
  options: Partial<CloudWatchOptions> = {},
): Shipper {
  const variables: Record<string, string> = {
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: server.url,
    AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url,
  };
  const before = { ...process.env };
  for (const name of CREDENTIALS) delete process.env[name];
  Object.assign(process.env, variables);
  const shipper = createCloudWatchShipper({
    logGroup: '/g',
    logStream: 'i-1',
    createLogGroup: false,
    retentionDays: 30,
    region: null,
    account: '111122223333',
    network: createNetwork({ environment: variables, resolver: LOCAL }),
    proxy: NO_PROXY_SETTINGS,
    environment: {},
    systemTrust: () => Promise.resolve(createSecureContext()),
    wallMs: Date.now,
    ...options,
  });
  t.after(() => {
    shipper.close();
    for (const name of [...Object.keys(variables), ...CREDENTIALS]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  return shipper;
}
