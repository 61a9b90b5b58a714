// Reads from the node's own files which cluster it is to join: endpoint, CA, and names. Asks nobody.
import { HostError } from '../../host/host.ts';
import type { System } from '../../host/system.ts';

export interface ClusterAccess {
  /** `https://host[:port]` as written there, without a path. */
  readonly server: string;
  /** The CA of the same file, PEM. */
  readonly caPem: string;
  /** Its name in the same file, null if it is not there. */
  readonly cluster: string | null;
  readonly configPath: string;
  /** What the kubelet was told to call itself, null if it was told nothing. */
  readonly nodeName: string | null;
}

/** All that one file says of the cluster; null where it does not. */
export interface ClusterConfig {
  readonly configPath: string;
  readonly server: string | null;
  readonly caPem: string | null;
  readonly cluster: string | null;
}

export type FoundConfig =
  | { readonly kind: 'found'; readonly config: ClusterConfig }
  | { readonly kind: 'unreadable'; readonly configPath: string }
  | null;

/** In this order: what the kubelet reads, then what nodeadm made of the user data. */
const KUBECONFIGS = [
  '/var/lib/kubelet/kubeconfig',
  '/etc/kubernetes/kubelet/kubeconfig',
  '/var/lib/kubelet/bootstrap-kubeconfig',
];
const NODE_CONFIG = '/run/eks/nodeadm/config.json';
const KUBELET_ARGUMENTS = ['/etc/eks/kubelet/environment', '/etc/kubernetes/kubelet/env'];
const KUBELET_DROP_INS = ['/etc/systemd/system/kubelet.service.d', '/run/systemd/system/kubelet.service.d'];
/** What the AMI's template of a kubeconfig holds until bootstrap.sh has run. */
const TEMPLATE = /MASTER_ENDPOINT|CLUSTER_NAME/;
const SERVER = /^https:\/\/(?<host>[A-Za-z0-9][A-Za-z0-9.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?\/*$/;
const CA_MAX_CHARS = 256 * 1024;

/** Null if no file names both an HTTPS endpoint and the CA to verify it with. @throws HostError `mount-stuck` */
export async function readClusterAccess(system: System): Promise<ClusterAccess | null> {
  const found = await findClusterConfig(system);
  if (found?.kind !== 'found' || found.config.server === null || found.config.caPem === null) return null;
  const { server, caPem, cluster, configPath } = found.config;
  return { server, caPem, cluster, configPath, nodeName: await readNodeName(system) };
}

/** The first file that names a cluster, else the first that cannot be read. Null if there is none. @throws HostError `mount-stuck` */
export async function findClusterConfig(system: System): Promise<FoundConfig> {
  let unreadable: FoundConfig = null;
  for (const configPath of [...KUBECONFIGS, NODE_CONFIG]) {
    const found = await configAt(system, configPath);
    if (found?.kind === 'found') return found;
    unreadable ??= found;
  }
  return unreadable;
}

async function configAt(system: System, configPath: string): Promise<FoundConfig> {
  try {
    const text = await system.readSmall(configPath);
    if (text === null || TEMPLATE.test(text)) return null;
    const config = configPath === NODE_CONFIG ? ofNodeConfig(text) : await ofKubeconfig(system, text);
    return { kind: 'found', config: { ...config, configPath } };
  } catch (error) {
    if (error instanceof HostError && error.code === 'mount-stuck') throw error;
    return { kind: 'unreadable', configPath };
  }
}

type Named = Omit<ClusterConfig, 'configPath'>;

async function ofKubeconfig(system: System, text: string): Promise<Named> {
  const { parse } = await import('yaml');
  const root: unknown = parse(text, { maxAliasCount: 0, schema: 'failsafe' });
  const cluster = at(root, 'clusters', 0, 'cluster');
  const data = textOf(at(cluster, 'certificate-authority-data'));
  const path = textOf(at(cluster, 'certificate-authority'));
  return {
    server: serverOf(textOf(at(cluster, 'server'))),
    caPem: data === null ? await caAt(system, path) : decoded(data),
    cluster: clusterOfArguments(at(root, 'users', 0, 'user', 'exec', 'args')),
  };
}

function ofNodeConfig(text: string): Named {
  const cluster = at(JSON.parse(text) as unknown, 'spec', 'cluster');
  const ca = textOf(at(cluster, 'certificateAuthority'));
  return {
    server: serverOf(textOf(at(cluster, 'apiServerEndpoint'))),
    caPem: ca === null ? null : decoded(ca),
    cluster: clusterName(textOf(at(cluster, 'name'))),
  };
}

/** `aws-iam-authenticator token -i NAME` or `aws eks get-token --cluster-name NAME`. */
function clusterOfArguments(args: unknown): string | null {
  if (!Array.isArray(args)) return null;
  const flag = args.findIndex((arg) => arg === '-i' || arg === '--cluster-id' || arg === '--cluster-name');
  return flag < 0 ? null : clusterName(textOf(args[flag + 1]));
}

function clusterName(name: string | null): string | null {
  return name !== null && /^[A-Za-z0-9][\w-]{0,99}$/.test(name) ? name : null;
}

/** As written, without a path: nothing but HTTPS, a host and a port. */
function serverOf(url: string | null): string | null {
  return SERVER.exec(url ?? '')?.[0].replace(/\/+$/, '') ?? null;
}

/** Name or address of a `server`, in its own spelling. */
export function hostOf(server: string): string | null {
  return SERVER.exec(server)?.groups?.['host'] ?? null;
}

async function caAt(system: System, path: string | null): Promise<string | null> {
  if (path?.startsWith('/') !== true) return null;
  return pem(await system.readSmall(path));
}

function decoded(base64: string): string | null {
  return base64.length > CA_MAX_CHARS ? null : pem(Buffer.from(base64, 'base64').toString('latin1'));
}

function pem(text: string | null): string | null {
  return text?.includes('-----BEGIN CERTIFICATE-----') === true ? text : null;
}

/** `--hostname-override` of the kubelet's unit. @throws HostError `mount-stuck` */
export async function readNodeName(system: System): Promise<string | null> {
  const dropIns = await Promise.all(
    KUBELET_DROP_INS.map(async (folder) => (await system.listFolder(folder)).map((name) => `${folder}/${name}`)),
  );
  for (const path of [...KUBELET_ARGUMENTS, ...dropIns.flat().filter((file) => file.endsWith('.conf'))]) {
    const name = nodeNameIn((await readable(system, path)) ?? '');
    if (name !== null) return name;
  }
  return null;
}

/** The node's name in a command line or a file that holds one. */
export function nodeNameIn(text: string): string | null {
  return (
    /--hostname-override[= ]["']?(?<name>[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?=["'\s\\]|$)/.exec(text)?.groups?.[
      'name'
    ] ?? null
  );
}

async function readable(system: System, path: string): Promise<string | null> {
  try {
    return await system.readSmall(path);
  } catch (error) {
    if (error instanceof HostError && error.code !== 'mount-stuck') return null;
    throw error;
  }
}

function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined,
    value,
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
