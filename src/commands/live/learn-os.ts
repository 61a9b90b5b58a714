// Tells the matcher which operating system this is before the node is asked anything: a cause that is said at once then has the steps
// for this node alone.
import type { System } from '../../host/system.ts';
import { isFamily, osOf } from '../../lib/os-family.ts';
import { within } from '../../lib/within.ts';
import type { Matcher } from '../../matching/matcher.ts';
import { STATE_LIMIT_MS } from '../../sinks/limits.ts';

const RELEASE = '/etc/os-release';

/** Of a system that is none of the known families the probes tell. Never rejects, and waits for no disk that hangs. */
export async function learnOs(system: Pick<System, 'readSmall'>, matcher: Pick<Matcher, 'fact'>): Promise<void> {
  const read = await within(
    system.readSmall(RELEASE).catch(() => null),
    STATE_LIMIT_MS,
  );
  const { os, version } = osOf((read.late ? null : read.value) ?? '');
  if (!isFamily(os)) return;
  matcher.fact('os', os);
  if (version !== null) matcher.fact('os_version', version);
}
