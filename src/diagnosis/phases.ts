// Finds a phase by its role in the diagnosis, never by its place or name.
import type { Pack, Phase, PhaseRole } from '../types.ts';

/** The compiler has made sure that there is one. */
export function phaseOfRole({ phases }: Pack, role: PhaseRole): Phase {
  return phases.find((phase) => phase.role === role)!;
}
