// Reads one small settings file of the machine (/etc/resolv.conf and the like) through the same door as the logs, so that
// nothing in its place can block. Parses nothing.
import { fill } from '../../lib/fill.ts';
import { HostError } from '../host.ts';
import { openBelow } from './open-file.ts';

/** Where the links of distributions lead to: systemd-resolved, NetworkManager, the store of certificates. */
const FOLDERS = ['/etc', '/run', '/usr', '/var/lib', '/var/run'];

/** Null if it cannot be read, or is longer. */
export async function readSetting(root: string, path: string, maxBytes: number): Promise<string | null> {
  try {
    const file = await openBelow(root, path, FOLDERS);
    try {
      const into = Buffer.alloc(Math.min(maxBytes, file.sizeBytes) + 1);
      const bytes = await fill(into, file.readAt);
      return bytes > maxBytes ? null : into.toString('utf8', 0, bytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}
