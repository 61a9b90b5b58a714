// Finds or fetches a real containerd of a newer Debian than that of the nodes; knows where it is kept, not how it is got (fetch-containerd.sh).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../build/run.ts';
import { CACHE } from './base-rootfs.ts';

const RECIPE = join(import.meta.dirname, 'fetch-containerd.sh');
const DIGEST_LENGTH = 16;
const LIMIT_SECONDS = '120';

/** Path of the program. The first call takes some 20 s and 55 MB and needs a Debian mirror. @throws with apt's own words if it cannot be got */
export async function containerdOf(suite: string): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(RECIPE)).digest('hex').slice(0, DIGEST_LENGTH);
  const folder = join(CACHE, `containerd-${suite}-${digest}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    await run('timeout', [LIMIT_SECONDS, 'flock', `${folder}.lock`, RECIPE, folder, suite], '/');
  }
  return join(folder, 'containerd');
}
