// Lists every expression of a pack together with the samples that its file carries. Reads nothing and judges nothing.
import type { PackSources } from '../../src/signatures/compile.ts';
import type { SamplesFile } from '../../src/signatures/schema.ts';
import type { Cause, Pack, Pattern, Signature } from '../../src/types.ts';

/** A signature or milestone, what it should match, and where it is written. */
export interface Subject {
  readonly pattern: Pattern;
  readonly samples: SamplesFile;
  /** Its cause or symptom and signature; null for a milestone. */
  readonly owner: { readonly cause: Cause; readonly signature: Signature } | null;
  readonly file: string;
  /** Line of the file at which a part of the subject (`['samples', 'match', 0]`) begins. */
  lineOf(path: readonly (string | number)[]): number;
}

/** `sources` and `pack` belong together: the pack was compiled from these sources. */
export function subjectsOf(sources: PackSources, pack: Pack): Subject[] {
  return [...ofPhases(sources, pack), ...ofCauses(sources, pack)];
}

function ofPhases({ phases }: PackSources, pack: Pack): Subject[] {
  const placed = [
    ...phases.data.phases.flatMap((phase, p) => phase.milestones.map((file, m) => ({ file, path: ['phases', p, 'milestones', m] }))),
    ...phases.data.facts.map((file, f) => ({ file, path: ['facts', f] })),
  ];
  return placed.map(({ file, path }) => ({
    pattern: pack.milestones.find(({ id }) => id === file.id)!.pattern,
    samples: file.samples,
    owner: null,
    file: phases.file,
    lineOf: (part) => phases.lineOf([...path, ...part]),
  }));
}

function ofCauses({ causes }: PackSources, pack: Pack): Subject[] {
  return causes.flatMap(({ source }) => {
    const cause = pack.causes.find(({ id }) => id === source.data.id)!;
    return source.data.signatures.map((file, s): Subject => {
      const signature = cause.signatures[s]!;
      return {
        pattern: signature.pattern,
        samples: file.samples,
        owner: { cause, signature },
        file: source.file,
        lineOf: (part) => source.lineOf(['signatures', s, ...part]),
      };
    });
  });
}
