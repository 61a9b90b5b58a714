// Raises the one limit of the host's kernel that many nodes at once run into. It stays raised until the host boots: other tests may
// need it when this one ends, and a test that is killed could not take it back.
import { readFileSync, writeFileSync } from 'node:fs';

const INSTANCES = '/proc/sys/fs/inotify/max_user_instances';
/** All nodes together are one user to the kernel, and each takes about ten; its default is 128, an EKS node's 8192. */
const INSTANCES_WANTED = 8192;

export function raiseHostLimits(): void {
  if (Number(readFileSync(INSTANCES, 'utf8')) < INSTANCES_WANTED) writeFileSync(INSTANCES, String(INSTANCES_WANTED));
}
