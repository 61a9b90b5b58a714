// Where the cluster's API server is, whom its certificate must come from, and which proxy is in force for it: all from the
// node's own files, nothing from a log. Connects nowhere.
import type { ConnectRequest } from '../../host/network/network.ts';
import { proxyFor } from '../../host/network/proxy.ts';
import type { System } from '../../host/system.ts';
import { readClusterAccess } from './cluster-access.ts';
import { unitProxySettings } from '../machine/unit-proxy.ts';

const HTTPS = 443;

export interface ClusterEndpoint {
  readonly target: Pick<ConnectRequest, 'host' | 'port' | 'trust' | 'proxy'>;
  /** The cluster's name in the same file, null if it is not there. */
  readonly cluster: string | null;
  /** What the kubelet was told to call itself, null if it was told nothing. */
  readonly nodeName: string | null;
  /** `host:port`, null without a proxy. */
  readonly proxy: string | null;
}

/** Null if no file names both the endpoint and its CA. The proxy is the kubelet's: only it decides. @throws HostError */
export async function findClusterEndpoint(system: System): Promise<ClusterEndpoint | null> {
  const access = await readClusterAccess(system);
  const url = access === null ? null : URL.parse(access.server);
  if (access === null || url?.protocol !== 'https:') return null;
  const host = url.hostname.replace(/^\[(?<address>.*)\]$/, '$<address>');
  const port = url.port === '' ? HTTPS : Number(url.port);
  const proxy = proxyFor(await unitProxySettings(system, ['kubelet']), host, port);
  return {
    target: { host, port, trust: { authorities: access.caPem }, proxy },
    cluster: access.cluster,
    nodeName: access.nodeName,
    proxy: proxy === null ? null : `${proxy.host}:${proxy.port}`,
  };
}
