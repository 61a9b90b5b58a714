// Lists every mutant of a pack: the pack without one piece of its knowledge. Judges nothing.
import type { Cause, Milestone, Pack, Pattern, ProbeUse, Signature } from '../../src/types.ts';
import { lineOf, list, row, stubOfProbe, stubOfStall, stubOfVeto } from './stubs.ts';

export type Mutation = 'explains' | 'not' | 'requires' | 'recoveredBy' | 'decisive' | 'occurrences' | 'stall' | 'probe';

export interface Mutant {
  readonly kind: Mutation;
  /** `group/id`, or `phases/id` for a milestone. */
  readonly where: string;
  readonly what: string;
  /** Id of the cause or milestone. */
  readonly id: string;
  /** For `explains`: the id that is no longer explained. */
  readonly target: string | null;
  /** For `not`: the expression without the veto. */
  readonly pattern: Pattern | null;
  readonly pack: Pack;
  /** Rows of YAML for the test that is missing. */
  readonly stub: string;
}

export function mutantsOf(pack: Pack): Mutant[] {
  return [
    ...pack.causes.flatMap((cause) => ofCause(pack, cause)),
    ...pack.milestones.flatMap((milestone) => ofMilestone(pack, milestone)),
  ];
}

function ofCause(pack: Pack, cause: Cause): Mutant[] {
  const causeOf = (id: string): Cause => pack.causes.find((one) => one.id === id)!;
  const told = lineOf(cause);
  const make = (
    kind: Mutation,
    what: string,
    changed: Partial<Cause>,
    stub: string,
    more: Partial<Mutant> = {},
  ): Mutant => ({
    kind,
    where: `${cause.group}/${cause.id}`,
    what,
    id: cause.id,
    target: null,
    pattern: null,
    pack: { ...pack, causes: pack.causes.map((one) => (one === cause ? { ...cause, ...changed } : one)) },
    stub,
    ...more,
  });
  return [
    ...cause.explains.map((entry) =>
      make(
        'explains',
        `explains ${entry.id}`,
        { explains: without(cause.explains, entry) },
        row('echoes', told, lineOf(causeOf(entry.id))),
        {
          target: entry.id,
        },
      ),
    ),
    ...cause.recoveredBy.map((entry) =>
      make(
        'recoveredBy',
        `recoveredBy ${entry}`,
        { recoveredBy: without(cause.recoveredBy, entry) },
        row('endsWith', told, entry),
      ),
    ),
    ...cause.stalls.map((entry) =>
      make('stall', `stall ${entry.id}`, { stalls: without(cause.stalls, entry) }, stubOfStall(cause.id, entry)),
    ),
    ...cause.probes.flatMap((use) => {
      const name = `${use.probe} ${use.codes.join(' ')} ${use.as}`;
      const changed = (what: string, change: Partial<ProbeUse>): Mutant =>
        make(
          'probe',
          `${name}: ${what}`,
          { probes: cause.probes.map((one) => (one === use ? { ...use, ...change } : one)) },
          stubOfProbe(cause.id, told, use, what),
        );
      return [
        make('probe', name, { probes: without(cause.probes, use) }, stubOfProbe(cause.id, told, use, null)),
        ...use.where.map((entry) => changed(`where ${entry.fact}`, { where: without(use.where, entry) })),
        ...use.requires.map((entry) =>
          changed(`requires ${entry.absent ? 'no ' : ''}${entry.target}`, { requires: without(use.requires, entry) }),
        ),
        ...(use.as === 'proves' && use.when === 'stalled' ? [changed('when stalled', { when: 'always' })] : []),
        ...(Object.keys(use.appliesTo).length === 0 ? [] : [changed('appliesTo', { appliesTo: {} })]),
      ];
    }),
    ...cause.signatures.flatMap((signature) => {
      const changed = (change: Partial<Signature>): Partial<Cause> => ({
        signatures: cause.signatures.map((one) => (one === signature ? { ...signature, ...change } : one)),
      });
      const { id, pattern, requires, occurrences, decisive } = signature;
      const own = pattern.key;
      return [
        ...withoutVetoes(pattern).map(([veto, bare]) =>
          make('not', `${id}: not ${veto}`, changed({ pattern: bare }), stubOfVeto(veto), { pattern: bare }),
        ),
        ...requires.map((entry) =>
          make(
            'requires',
            `${id}: requires ${entry.absent ? 'no ' : ''}${entry.target}`,
            changed({ requires: without(requires, entry) }),
            entry.absent ? row('notAfter', own, entry.target) : list('silentAlone', own),
          ),
        ),
        ...(decisive
          ? [make('decisive', `${id}: decisive`, changed({ decisive: false }), `alone:\n  high:\n    - ${own}`)]
          : []),
        ...(occurrences === null
          ? []
          : [
              make(
                'occurrences',
                `${id}: occurrences`,
                changed({ occurrences: null }),
                `fewer:\n  ${own}: ${occurrences.atLeast}`,
              ),
            ]),
      ];
    }),
  ];
}

function ofMilestone(pack: Pack, milestone: Milestone): Mutant[] {
  return withoutVetoes(milestone.pattern).map(([veto, bare]) => ({
    kind: 'not',
    where: `phases/${milestone.id}`,
    what: `not ${veto}`,
    id: milestone.id,
    target: null,
    pattern: bare,
    stub: stubOfVeto(veto),
    pack: {
      ...pack,
      milestones: pack.milestones.map((one) => (one === milestone ? { ...milestone, pattern: bare } : one)),
    },
  }));
}

function withoutVetoes(pattern: Pattern): [string, Pattern][] {
  return pattern.not.map((veto) => [veto, { ...pattern, not: without(pattern.not, veto) }]);
}

function without<T>(all: readonly T[], one: T): T[] {
  return all.filter((other) => other !== one);
}
