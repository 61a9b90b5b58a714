// What a verdict is the first of its boot to say: the counts that its event carries. Each counts once a boot, whoever says it, so
// what was counted before goes in and out.
import type { Counts, Tally, Verdict } from '../types.ts';

export const NOTHING_COUNTED: Tally = { started: false, seen: [], ended: false, recovered: false };
/** More different causes than a boot has. */
const SEEN_MAX = 100;

/** `follows`: the run follows the boot from its beginning; one that only looks at it counts no start. */
export function countVerdict(
  { status, final, cause }: Pick<Verdict, 'status' | 'final' | 'cause'>,
  before: Tally,
  follows: boolean,
): { readonly counts: Counts; readonly tally: Tally } {
  const isFailing = status === 'failed' || status === 'stalled';
  const isProven = isFailing && cause !== null && !cause.possible && cause.confidence !== 'low';
  const counts: Counts = {
    started: follows && !before.started,
    seen: isProven && !before.seen.includes(cause.id),
    ended: final && !before.ended,
    recovered: final && status === 'ready' && before.seen.length > 0 && !before.recovered,
    cause: status === 'ready' ? (before.seen.at(-1) ?? null) : (cause?.id ?? null),
  };
  const tally: Tally = {
    started: before.started || counts.started,
    seen: counts.seen ? [...before.seen, cause!.id].slice(-SEEN_MAX) : before.seen,
    ended: before.ended || counts.ended,
    recovered: before.recovered || counts.recovered,
  };
  return { counts, tally };
}
