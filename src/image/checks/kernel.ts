// Do the kernel's modules, its settings and SELinux's labels let the components work?
import type { Fault, ImageCheck } from '../check.ts';
import type { Image } from '../image.ts';

type Code = 'module-missing' | 'module-forbidden' | 'sysctl-wrong' | 'inotify-low' | 'label-wrong';

/** Of containerd, the network plugin and kube-proxy, which has one of the last two. */
const MODULES: readonly (readonly string[])[] = [['overlay'], ['veth'], ['nf_conntrack'], ['ip_tables', 'nf_tables']];
const MODULE_LIST_MAX_BYTES = 8 * 1024 * 1024;
const INOTIFY_INSTANCES_MIN = 128;
/** What the kubelet demands with protectKernelDefaults, which the EKS AMIs set, and what pods need to reach anything. */
const DEMANDED: Readonly<Record<string, string>> = {
  'vm.overcommit_memory': '1',
  'vm.panic_on_oom': '0',
  'kernel.panic': '10',
  'kernel.panic_on_oops': '1',
  'net.ipv4.ip_forward': '1',
};
/** Lowest first: of two files with one name the later folder's counts. */
const SYSCTL_FOLDERS = ['/usr/lib/sysctl.d', '/etc/sysctl.d'];
const LABELLED = [
  '/usr/bin/kubelet',
  '/usr/bin/containerd',
  '/usr/bin/nodeadm',
  '/usr/local/bin/eks-bootstrap-analyzer',
];
/** Types of files that were moved from elsewhere or never labelled: pid 1 may not execute them. */
const NO_PROGRAM = /:(?<type>unlabeled_t|default_t|(?:user_)?tmp_t|(?:user|admin)_home_t|file_t):/;

export const kernel: ImageCheck<Code> = {
  name: 'kernel',
  faults: {
    'module-missing': {
      says: 'The kernel {kernel} has no module {module}.',
      fix: 'Install the kernel-modules package of this kernel.',
    },
    'module-forbidden': {
      says: '{path} forbids the kernel module {module}.',
      fix: 'Take that line out; hardening guides do not know of containers.',
    },
    'sysctl-wrong': {
      says: '{path} sets {name} = {value}; the node needs {wanted}.',
      fix: 'Take the line out, or set {name} = {wanted}.',
    },
    'inotify-low': {
      says: '{path} sets fs.inotify.max_user_instances = {value}, too few for a node.',
      fix: 'Set 8192, as the EKS AMI does.',
    },
    'label-wrong': {
      says: 'SELinux enforces, and {path} is labelled {type}: systemd may not start it.',
      fix: 'Run restorecon on {path}.',
    },
  },
  async look(image) {
    return [...(await moduleFaults(image)), ...(await sysctlFaults(image)), ...(await labelFaults(image))];
  },
};

async function moduleFaults(image: Image): Promise<Fault<Code>[]> {
  const found: Fault<Code>[] = [];
  for (const name of await bootableKernels(image)) {
    const folder = `/usr/lib/modules/${name}`;
    const lists = await Promise.all(
      ['modules.dep', 'modules.builtin'].map((list) => image.text(`${folder}/${list}`, MODULE_LIST_MAX_BYTES)),
    );
    const known = new Set(
      [...lists.join('\n').matchAll(/^(?:[^\s:]*\/)?(?<module>[\w-]+)\.ko\b/gm)].map(({ groups }) =>
        groups!['module']!.replaceAll('-', '_'),
      ),
    );
    for (const any of MODULES)
      if (!any.some((module) => known.has(module)))
        found.push({ code: 'module-missing', values: { kernel: name, module: any.join(' or ') } });
  }
  for (const { path, text } of await textsOf(image, ['/etc/modprobe.d']))
    for (const { groups } of text.matchAll(/^\s*install\s+(?<module>[\w-]+)\s+(?:\/usr)?\/bin\/(?:true|false)\b/gm))
      if (MODULES.flat().includes(groups!['module']!.replaceAll('-', '_')))
        found.push({ code: 'module-forbidden', values: { path, module: groups!['module']! } });
  return found;
}

/** Those with a kernel in /boot: of one that was removed the folder may be left. */
async function bootableKernels(image: Image): Promise<readonly string[]> {
  const names = await image.names('/usr/lib/modules');
  const kinds = await Promise.all(names.map((name) => image.kindOf(`/boot/vmlinuz-${name}`)));
  return names.filter((_name, at) => kinds[at] === 'file');
}

async function sysctlFaults(image: Image): Promise<Fault<Code>[]> {
  const settings = new Map<string, { readonly value: string; readonly path: string }>();
  const last = { path: '/etc/sysctl.conf', text: (await image.text('/etc/sysctl.conf')) ?? '' };
  for (const { path, text } of [...(await textsOf(image, SYSCTL_FOLDERS)), last])
    for (const { groups } of text.matchAll(/^\s*-?(?<name>[\w./-]{1,80}?)\s*=\s*(?<value>[^\s#;]{1,40})/gm))
      settings.set(groups!['name']!.replaceAll('/', '.'), { value: groups!['value']!, path });
  const found: Fault<Code>[] = [];
  for (const [name, wanted] of Object.entries(DEMANDED)) {
    const set = settings.get(name);
    if (set !== undefined && set.value !== wanted)
      found.push({ code: 'sysctl-wrong', values: { ...set, name, wanted } });
  }
  const inotify = settings.get('fs.inotify.max_user_instances');
  if (inotify !== undefined && Number(inotify.value) < INOTIFY_INSTANCES_MIN)
    found.push({ code: 'inotify-low', values: { ...inotify } });
  return found;
}

/** The `.conf` files of the folders as they are read at boot: by name, and one name once. */
async function textsOf(
  image: Image,
  folders: readonly string[],
): Promise<{ readonly path: string; readonly text: string }[]> {
  const byName = new Map<string, string>();
  for (const folder of folders)
    for (const name of await image.names(folder)) if (name.endsWith('.conf')) byName.set(name, `${folder}/${name}`);
  const paths = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
  return Promise.all(paths.map(async (path) => ({ path, text: (await image.text(path)) ?? '' })));
}

async function labelFaults(image: Image): Promise<Fault<Code>[]> {
  const config = (await image.text('/etc/selinux/config')) ?? '';
  if (!/^\s*SELINUX=enforcing\b/m.test(config)) return [];
  const labels = await Promise.all(LABELLED.map(async (path) => ({ path, label: await image.label(path) })));
  return labels.flatMap(({ path, label }) => {
    const type = NO_PROGRAM.exec(label ?? '')?.groups?.['type'];
    return type === undefined ? [] : [{ code: 'label-wrong' as const, values: { path, type } }];
  });
}
