// Where a node's own files tell who and where it is: one table, the surest source first. Asks nobody, and no source that cannot be
// read hides another. What the instance metadata service tells comes after all of these (instance-metadata-reachable.ts).
import { HostError } from '../../host/host.ts';
import type { System } from '../../host/system.ts';
import { findClusterConfig } from '../cluster/cluster-access.ts';
import { type Told, toldByLabels, toldByLabelsIn } from './labels.ts';
import { mostOf } from './most-of.ts';
import { toldByUserData } from './user-data.ts';

export interface Source {
  readonly title: string;
  /** What its files say, the surest first. @throws what is no refusal of the machine */
  readonly tell: (system: System) => Promise<readonly Told[]>;
}

/** Keys and label names are escaped in the names of its files, values are JSON. */
const SETTINGS = '/var/lib/bottlerocket/datastore/current/live/settings/kubernetes/';

/** Of the images that are made for EKS: where one of these stands, the kubelet's command line says nothing more. */
const ARGUMENTS = ['/etc/eks/kubelet/environment', '/etc/kubernetes/kubelet/env', '/var/snap/kubelet-eks/current/args'];

export const SOURCES: readonly Source[] = [
  {
    title: 'what the kubelet or nodeadm reads: kubeconfig, then the NodeConfig that nodeadm made of all its sources',
    tell: async (system) => [await clusterOfConfig(system)],
  },
  {
    title: 'arguments of the kubelet',
    tell: inFiles(
      [
        ...ARGUMENTS,
        '/etc/systemd/system/kubelet.service.d/',
        '/run/systemd/system/kubelet.service.d/',
        '/run/eks/nodeadm/config.json',
      ],
      (text) => toldByLabelsIn(withoutComments(text)),
    ),
  },
  {
    title: 'settings of Bottlerocket',
    tell: inFiles([`${SETTINGS}cluster-name`, `${SETTINGS}node-labels/`], (text, path) => {
      const value = text.trim().replaceAll(/^"|"$/g, '');
      if (path.endsWith('/cluster-name')) return { cluster: value, told_as: 'settings' };
      return toldByLabels(new Map([[unescaped(path.slice(path.lastIndexOf('/') + 1)), value]]));
    }),
  },
  {
    title: 'what eksctl wrote',
    tell: inFiles(['/etc/eksctl/kubelet.env'], (text) => {
      const cluster = /^CLUSTER_NAME=["']?(?<cluster>[\w-]{1,100})["']?[ \t]*$/m.exec(text)?.groups!['cluster'];
      return { ...toldByLabelsIn(text), ...(cluster === undefined ? {} : { cluster, told_as: 'bootstrap.sh' }) };
    }),
  },
  { title: 'NodeConfigs beside user data', tell: inFiles(['/etc/eks/nodeadm.d/'], toldByUserData) },
  {
    // The second one is the first after cloud-init has unpacked it.
    title: 'user data as cloud-init keeps it',
    tell: inFiles(['/var/lib/cloud/instance/user-data.txt', '/var/lib/cloud/instance/user-data.txt.i'], toldByUserData),
  },
];

/** Facts by name; of the cluster also `told_in` (a path) and `told_as`. @throws what is no refusal of the machine */
export async function toldByFiles(system: System): Promise<Told> {
  let told: Told = {};
  for (const source of SOURCES) {
    told = mostOf([told, ...(await source.tell(system))]);
    if (told['cluster'] !== undefined && told['node_pool'] !== undefined) break;
  }
  return told;
}

/** The last source: a kubelet that somebody started another way. */
export async function toldByCommandLine(system: System, signal: AbortSignal): Promise<Told> {
  for (const path of ARGUMENTS) if ((await unlessRefused(() => system.kindOf(path))) !== null) return {};
  const processes = (await system.processes(signal)) ?? [];
  const kubelet = processes.find(({ command }) => /^(?:\/\S*\/)?(?:kubelet|hyperkube)(?: |$)/.test(command));
  return toldByLabelsIn(kubelet?.command ?? '');
}

/** `places`: files, and folders (with a slash at the end) whose files are all read. */
function inFiles(
  places: readonly string[],
  read: (text: string, path: string) => Told | Promise<Told>,
): Source['tell'] {
  return async (system) => {
    const told: Told[] = [];
    for (const place of places) {
      const names = place.endsWith('/') ? await unlessRefused(() => system.listFolder(place.slice(0, -1))) : [''];
      for (const name of names ?? []) {
        const path = `${place}${name}`;
        const text = await unlessRefused(() => system.readSmall(path, 'latin1'));
        if (text !== null) told.push({ ...(await read(text, path)), told_in: path });
      }
    }
    return told;
  };
}

async function clusterOfConfig(system: System): Promise<Told> {
  const found = await unlessRefused(() => findClusterConfig(system));
  if (found?.kind !== 'found' || found.config.cluster === null) return {};
  return { cluster: found.config.cluster, told_in: found.config.configPath };
}

async function unlessRefused<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}

function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*[#;].*$/gm, '');
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
