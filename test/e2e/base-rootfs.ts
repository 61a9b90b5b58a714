// Finds or makes the root file system of all nodes; knows where it is kept, not what is in it (make-base.sh).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../build/run.ts';

const RECIPE = join(import.meta.dirname, 'make-base.sh');
export const CACHE = join(process.env['XDG_CACHE_HOME'] ?? '/var/cache', 'eks-bootstrap-analyzer-e2e');
const DIGEST_LENGTH = 16;

/**
 * A folder that is only ever read. The first call takes about 30 s and 350 MB and needs a Debian mirror; callers at the same time wait for it.
 * @throws with mmdebstrap's own words if it cannot be made.
 */
export async function baseRootfs(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(RECIPE)).digest('hex').slice(0, DIGEST_LENGTH);
  const folder = join(CACHE, digest);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  await run('flock', [`${folder}.lock`, RECIPE, folder], '/');
  return folder;
}
