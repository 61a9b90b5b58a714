// Is this an instance that nobody meant to join a cluster: a build or test instance of an image that carries the analyzer? Only what is
// known for sure counts: an answer that does not come is taken for a node's.
import { openMetadata } from '../../aws/instance-metadata.ts';
import { within } from '../../lib/within.ts';
import type { Pack, Verdict } from '../../types.ts';
import type { Machine } from '../command-context.ts';

/** The code of the note that says why nothing more is said; its sentence stands in render. */
const NOT_MEANT = { what: 'this boot', code: 'not-meant-to-join', detail: '' };
const ASK_LIMIT_MS = 4_000;
/** Whatever of these stands in user data, somebody thought of a node. Packed or encoded user data may hold anything. */
const SIGN =
  /node\.eks\.aws|bootstrap\.sh|nodeadm|kubelet|kubernetes|\beks\b|secret-userdata|Content-Encoding|Content-Transfer-Encoding: *base64/i;
const PLAIN = /^[\x20-\x7e\s\u00a0-\uffef]*$/;
const ENCODED = /^[A-Za-z0-9+/=\s]{64,}$/;
/** cloud-init writes it when the last script of the user data has ended. */
const USER_DATA_ENDED = '/run/cloud-init/result.json';
const KUBELET = 'kubelet.service';

/** The last word on such an instance; null where it may be a node, or a cause says that more is wrong than nothing. Never rejects. */
export async function bystanderVerdict(
  verdict: Verdict,
  pack: Pack,
  machine: Machine,
  signal: AbortSignal,
): Promise<Verdict | null> {
  const { cause, node, timeline } = verdict;
  const looksSo =
    cause === null
      ? timeline.every(({ state }) => state === 'finished')
      : pack.causes.some(({ id, idle }) => id === cause.id && idle);
  if (
    verdict.status === 'ready' ||
    !looksSo ||
    node.cluster !== null ||
    node.nodePool !== null ||
    node.endpointHost !== null
  )
    return null;
  const asked = await within(
    isUnasked(machine, signal).catch(() => false),
    ASK_LIMIT_MS,
  );
  if (asked.late || !asked.value) return null;
  return {
    ...verdict,
    status: 'unknown',
    cause: null,
    otherCauses: [],
    symptoms: [],
    evidence: [],
    notChecked: [NOT_MEANT, ...verdict.notChecked],
  };
}

async function isUnasked({ system, network }: Machine, signal: AbortSignal): Promise<boolean> {
  const [units, ended] = await Promise.all([
    system.units([KUBELET], ['ActiveState', 'UnitFileState'], signal),
    system.kindOf(USER_DATA_ENDED),
  ]);
  const kubelet = units?.[0];
  const isOff =
    kubelet?.get('ActiveState') === 'inactive' && kubelet.get('UnitFileState')?.startsWith('enabled') !== true;
  if (!isOff || ended === null) return false;
  const userData = (await (await openMetadata(network, signal)).get('user-data')) ?? '';
  return PLAIN.test(userData) && !ENCODED.test(userData) && !SIGN.test(userData);
}
