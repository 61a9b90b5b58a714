// Puts the live door to the network together. Everything outside this folder gets it as a `Network`.
import { attempt } from './attempt.ts';
import { createFindContext } from './authorities.ts';
import { sendRequest } from './http-request.ts';
import type { Network } from './network.ts';
import { type Means, openConnection } from './open-connection.ts';
import { readSetting } from '../files/read-setting.ts';
import { parseHosts, parseNameservers, type ResolverSettings } from './resolver-settings.ts';
import { createLookup, createResolve } from './resolver.ts';

const SETTINGS_MAX_BYTES = 64 * 1024;
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];
const METADATA_VARIABLES = ['AWS_EC2_METADATA_SERVICE_ENDPOINT', 'AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE'];
const VARIABLES = [
  ...PROXY_VARIABLES,
  ...METADATA_VARIABLES,
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'SSL_CERT_FILE',
];

export interface NetworkOptions {
  /** The prefix that /etc is read under; null for the machine itself. */
  readonly root?: string | null;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** In place of /etc/resolv.conf and /etc/hosts. */
  readonly resolver?: ResolverSettings;
}

export function createNetwork({ root = null, environment = process.env, resolver }: NetworkOptions = {}): Network {
  const prefix = root ?? '';
  const ownVariables = Object.fromEntries(
    VARIABLES.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const resolve = createResolve(() =>
    resolver === undefined ? readResolverSettings(prefix) : Promise.resolve(resolver),
  );
  const means: Means = { resolve, findContext: createFindContext(prefix, ownVariables['SSL_CERT_FILE']) };
  return {
    environment: ownVariables,
    lookup: createLookup(resolve),
    resolve: (host, limits) => attempt(limits, (within) => resolve(host, within)),
    connect: (asked) =>
      attempt(asked, async (within) => {
        await openConnection(asked, within, means);
        return { address: within.address ?? '', elapsedMs: within.elapsedMs() };
      }),
    request: (asked) =>
      attempt(asked, async (within) => sendRequest(await openConnection(asked, within, means), asked, within)),
  };
}

async function readResolverSettings(root: string): Promise<ResolverSettings> {
  const [resolvConf, hosts] = await Promise.all(
    ['/etc/resolv.conf', '/etc/hosts'].map((path) => readSetting(root, path, SETTINGS_MAX_BYTES)),
  );
  return { nameservers: parseNameservers(resolvConf ?? ''), hosts: parseHosts(hosts ?? '') };
}
