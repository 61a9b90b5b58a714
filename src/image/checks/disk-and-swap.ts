// Is there room for what the boot writes, and does nothing turn swap on?
import type { Fault, ImageCheck } from '../check.ts';
import type { Image } from '../image.ts';

type Code = 'space-low' | 'inodes-low' | 'swap-on';

/** Images of the system pods, logs and the kubelet's state take about this much before the first workload. */
const SPACE_MIN_BYTES = 2 * 1024 ** 3;
const INODES_MIN = 50_000;
const MIB_BYTES = 1024 * 1024;
const PLACES = ['/', '/var', '/var/lib/containerd'];
const SWAP_UNITS = ['/etc/systemd/system', '/usr/lib/systemd/system'];
const ZRAM = '/etc/systemd/zram-generator.conf';
const KUBELET_CONFIGS = ['/etc/kubernetes/kubelet/kubelet-config.json', '/etc/kubernetes/kubelet/config.json'];
const BORNE = /"failSwapOn"\s*:\s*false/;

export const diskAndSwap: ImageCheck<Code> = {
  name: 'disk-and-swap',
  faults: {
    'space-low': {
      says: 'The file system of {path} has {free_mib} MiB free.',
      fix: 'Give the image a larger volume, or remove what the build left (package caches, downloads).',
    },
    'inodes-low': {
      says: 'The file system of {path} has {free} inodes free.',
      fix: 'Give the image a larger volume, or remove what the build left.',
    },
    'swap-on': {
      says: '{path} turns swap on ({device}).',
      fix: 'Take it out; the kubelet of the EKS AMI does not start with swap.',
    },
  },
  async look(image) {
    return [...(await spaceFaults(image)), ...(await swapFaults(image))];
  },
};

async function spaceFaults(image: Image): Promise<Fault<Code>[]> {
  const seen = new Set<string>();
  const found: Fault<Code>[] = [];
  for (const path of PLACES) {
    if ((await image.kindOf(path)) === null) continue;
    const space = await image.space(path);
    if (space.kind !== 'known' || seen.has(space.id)) continue;
    seen.add(space.id);
    if (space.availableBytes < SPACE_MIN_BYTES)
      found.push({ code: 'space-low', values: { path, free_mib: Math.floor(space.availableBytes / MIB_BYTES) } });
    if (space.inodes > 0 && space.freeInodes < INODES_MIN)
      found.push({ code: 'inodes-low', values: { path, free: space.freeInodes } });
  }
  return found;
}

async function swapFaults(image: Image): Promise<Fault<Code>[]> {
  const configs = await Promise.all(KUBELET_CONFIGS.map((path) => image.text(path)));
  if (configs.some((text) => BORNE.test(text ?? ''))) return [];
  const fstab = (await image.text('/etc/fstab')) ?? '';
  const listed = [...fstab.matchAll(/^[ \t]*(?<device>[^#\s]{1,200})[ \t]+\S+[ \t]+swap[ \t]*(?<options>\S*)/gm)]
    .filter(({ groups }) => !/(?:^|,)noauto(?:,|$)/.test(groups!['options']!))
    .map(({ groups }) => ({ path: '/etc/fstab', device: groups!['device']! }));
  const wanted = await Promise.all(SWAP_UNITS.map((folder) => image.glob(`${folder}/swap.target.wants/*.swap`)));
  const units = wanted.flat().map((path) => ({ path, device: path.split('/').at(-1)! }));
  const zram = /^\s*\[(?<device>zram\d+)\]/m.exec((await image.text(ZRAM)) ?? '')?.groups?.['device'];
  const compressed = zram === undefined ? [] : [{ path: ZRAM, device: zram }];
  return [...listed, ...units, ...compressed].map((values) => ({ code: 'swap-on', values }));
}
