// Names the probes whose answers bear on what the logs suggest, so that a run asks the node no more than it must.
import type { Cause, Pack, Verdict } from '../types.ts';

/** Null: nothing is suspected and the node is not Ready, so every answer may bear on it. */
export function probesFor(
  { status, cause, otherCauses }: Pick<Verdict, 'status' | 'cause' | 'otherCauses'>,
  pack: Pack,
): ReadonlySet<string> | null {
  if (cause === null && status !== 'ready') return null;
  const named = [...(cause === null ? [] : [cause.id]), ...otherCauses.map(({ id }) => id)];
  const suspected = withRoots(new Set(named), pack);
  return new Set(pack.causes.filter(({ id }) => suspected.has(id)).flatMap(probesOf));
}

/** A probe may find the root of what the lines show: with each cause goes whatever explains it, by any detour. */
function withRoots(ids: ReadonlySet<string>, pack: Pack): ReadonlySet<string> {
  const roots = pack.causes.filter(
    ({ id, explains }) => !ids.has(id) && explains.some((explanation) => ids.has(explanation.id)),
  );
  return roots.length === 0 ? ids : withRoots(new Set([...ids, ...roots.map(({ id }) => id)]), pack);
}

function probesOf({ probes, signatures }: Cause): string[] {
  const required = [...probes, ...signatures].flatMap(({ requires }) =>
    requires.filter(({ kind }) => kind === 'probe'),
  );
  return [...probes.map(({ probe }) => probe), ...required.map(({ target }) => target)];
}
