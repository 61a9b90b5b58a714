// Lists every expression of a pack together with the samples that its file carries and the cause that owns it.
import { type Sampled, samplesOfCauses, samplesOfMilestones } from '../../src/commands/patterns/check-samples.ts';
import type { PackSources } from '../../src/signatures/compile.ts';
import type { Cause, Pack, Signature } from '../../src/types.ts';

/** A signature or milestone, what it should match, and where it is written. */
export interface Subject extends Sampled {
  /** Its cause or symptom and signature; null for a milestone. */
  readonly owner: { readonly cause: Cause; readonly signature: Signature } | null;
  readonly file: string;
  /** Line of the file at which a part of the subject (`['samples', 'match', 0]`) begins. */
  lineOf(path: readonly (string | number)[]): number;
}

/** `sources` and `pack` belong together: the pack was compiled from these sources. */
export function subjectsOf(sources: PackSources, pack: Pack): Subject[] {
  const owners = new Map(
    pack.causes.flatMap((cause) => cause.signatures.map((signature) => [signature.pattern, { cause, signature }])),
  );
  return [...samplesOfMilestones(pack, sources), ...samplesOfCauses(pack, sources.causes)].map((sampled) => ({
    ...sampled,
    owner: owners.get(sampled.pattern) ?? null,
    file: sampled.source.file,
    lineOf: (part) => sampled.source.lineOf([...sampled.path, ...part]),
  }));
}
