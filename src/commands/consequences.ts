// Tells render which bad answers of the node only follow from a cause: those that speak for nothing but what it explains.
import type { Follows } from '../render/probes.ts';
import type { Pack } from '../types.ts';

export function consequencesOf(pack: Pack, causeId: string | null): Follows {
  const explained = causeId === null ? new Set<string>() : closure(pack, causeId);
  return ({ probe, code }) => {
    const about = pack.causes.filter(({ probes }) =>
      probes.some(
        (use) => use.probe === probe && use.codes.includes(code) && (use.as === 'proves' || use.as === 'confirms'),
      ),
    );
    return about.length > 0 && about.every(({ id }) => explained.has(id));
  };
}

/** The cause and all that it explains, by any chain. */
function closure(pack: Pack, causeId: string): Set<string> {
  const reached = new Set([causeId]);
  for (const id of reached)
    for (const explanation of pack.causes.find((cause) => cause.id === id)?.explains ?? []) reached.add(explanation.id);
  return reached;
}
