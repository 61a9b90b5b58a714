// Refuses folders on a file system that the kernel makes up as it is read. Reading there may block, set things off, or
// never end; no log lies there.
import { statfs } from 'node:fs/promises';
import { HostError } from '../host.ts';
import { refuseStuckMount } from './mount-guard.ts';

/** Magic numbers of statfs(2). devtmpfs is a tmpfs by its number: what stands there is told by its kind, a device. */
const PSEUDO = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x63677270, // cgroup2
  0x27e0eb, // cgroup
  0x73636673, // securityfs
  0xf97cff8c, // selinuxfs
  0xcafe4a11, // bpf
  0x1cd1, // devpts
  0x6165676c, // pstore
  0x62656570, // configfs
  0xde5e81e4, // efivarfs
  0x65735543, // fusectl
  0x19800202, // mqueue
  0x42494e4d, // binfmt_misc
  0x67596969, // rpc_pipefs
  0x6e736673, // nsfs
  0x958458f6, // hugetlbfs
]);

/** Of /dev only this part holds files. */
const DEVICES = /^\/dev(?:\/(?!shm(?:\/|$))|$)/;

/** `folder`: absolute, and no part of it a link. Elsewhere than on Linux there are none. @throws HostError `pseudo` */
export async function refusePseudo(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  await refuseStuckMount(folder);
  // Signed on some systems.
  if (DEVICES.test(folder) || PSEUDO.has((await statfs(folder)).type >>> 0)) throw new HostError('pseudo', folder);
}
