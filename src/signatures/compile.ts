// Turns pack files into the compiled pack, or a precise complaint: unknown ids, cycles and detours in `explains`,
// expressions without a literal.
import { createHash } from 'node:crypto';
import {
  type Cause,
  type Explanation,
  type Milestone,
  type Pack,
  type Phase,
  PHASE_ROLES,
  REPAIRS,
  type RemedyStep,
  type Signature,
  type Stall,
  type StreamTable,
} from '../types.ts';
import { compilePattern } from './compile-pattern.ts';
import { compileProbeUse } from './compile-probe-use.ts';
import { compileRequirement, listsOf } from './compile-requirement.ts';
import { durationMs, optionalMs } from './duration.ts';
import { Faults } from './faults.ts';
import { PackError, type YamlSource } from './read-yaml.ts';
import type { PackFile, PhasesFile, StreamsFile } from './schema.ts';

export interface CauseSource {
  readonly group: string;
  readonly source: YamlSource<PackFile>;
}

export interface PackSources {
  readonly streams: YamlSource<StreamsFile>;
  readonly phases: YamlSource<PhasesFile>;
  readonly causes: readonly CauseSource[];
}

export interface OperatorChanges {
  readonly replaced: readonly string[];
  readonly added: readonly string[];
  readonly disabled: readonly string[];
}

export type PackBody = Omit<Pack, 'digest' | keyof OperatorChanges>;

const NO_CHANGES: OperatorChanges = { replaced: [], added: [], disabled: [] };

/** @throws PackError with all faults found: of expressions and streams, else of what names something else. */
export function compilePack(sources: PackSources): Pack {
  const streamTable = compileStreams(sources.streams);
  const milestones = compileMilestones(sources.phases, streamTable);
  const phases: Phase[] = sources.phases.data.phases.map((phase) => ({
    id: phase.id,
    title: phase.title,
    families: phase.families ?? null,
    usualMs: durationMs(phase.usual),
    stalledAfterMs: durationMs(phase.stalledAfter),
    role: phase.role ?? null,
    isScript: phase.script,
    asks: phase.asks ?? null,
  }));
  checkRoles(sources.phases);
  const faults = new Faults();
  const causes = faults.each(sources.causes, ({ group, source }) => compileCause(group, source, streamTable));
  faults.throwAny();
  const body = { streamTable, phases, milestones, causes };
  checkReferences(sources.causes, body);
  checkExplains(sources.causes, causes);
  return sealPack(body, NO_CHANGES);
}

/** The pack with the digest of its content. */
export function sealPack(body: PackBody, changes: OperatorChanges): Pack {
  return { digest: createHash('sha256').update(JSON.stringify(body)).digest('hex'), ...body, ...changes };
}

/** The diagnosis rests on them: each stands once, and in the order of the boot. */
function checkRoles(source: YamlSource<PhasesFile>): void {
  const roles = source.data.phases.flatMap(({ role }) => role ?? []);
  if (roles.join() !== PHASE_ROLES.join())
    throw new PackError(
      source.file,
      source.lineOf(['phases']),
      `the roles ${PHASE_ROLES.join(', ')} must each stand at one phase, in this order; there are: ${roles.join(', ') || 'none'}`,
    );
}

function compileStreams(source: YamlSource<StreamsFile>): StreamTable {
  const { streams, groups, processList } = source.data;
  const names = new Set(streams.map((stream) => stream.name));
  const named = [
    ...Object.entries(groups).flatMap(([group, members]) => members.map((name) => ({ name, at: ['groups', group] }))),
    { name: processList, at: ['processList'] },
  ];
  for (const { name, at } of named)
    if (!names.has(name)) throw new PackError(source.file, source.lineOf(at), `unknown stream "${name}"`);
  return source.data;
}

function expandStreams(
  table: StreamTable,
  listed: readonly string[] | undefined,
  complain: (what: string) => PackError,
): readonly string[] | null {
  if (listed === undefined) return null;
  const names = listed.flatMap((name) => table.groups[name] ?? [name]);
  for (const name of names)
    if (!table.streams.some((stream) => stream.name === name)) throw complain(`unknown stream "${name}"`);
  return [...new Set(names)];
}

function compileMilestones(source: YamlSource<PhasesFile>, table: StreamTable): Milestone[] {
  const compileOne = (
    file: PhasesFile['facts'][number],
    phase: string | null,
    path: readonly (string | number)[],
  ): Milestone => {
    const place = { key: file.id, file: source.file, lineOf: (field: string) => source.lineOf([...path, field]) };
    const streams = expandStreams(
      table,
      file.streams,
      (what) => new PackError(source.file, place.lineOf('streams'), what),
    );
    const pattern = compilePattern(place, file, streams, { startsBoot: file.startsBoot });
    return { id: file.id, kind: file.kind, phase, title: file.title, pattern, facts: file.facts };
  };
  const milestones = [
    ...source.data.phases.flatMap((phase, p) =>
      phase.milestones.map((milestone, m) => compileOne(milestone, phase.id, ['phases', p, 'milestones', m])),
    ),
    ...source.data.facts.map((fact, f) => compileOne(fact, null, ['facts', f])),
  ];
  const seen = new Set<string>();
  for (const milestone of milestones) {
    if (seen.has(milestone.id)) throw new PackError(source.file, 1, `the milestone ${milestone.id} is there twice`);
    seen.add(milestone.id);
  }
  return milestones;
}

/** @throws PackError for an unknown stream or an expression that is not allowed; ids of other causes are not looked at. */
export function compileCause(group: string, source: YamlSource<PackFile>, table: StreamTable): Cause {
  const { data, file } = source;
  const faults = new Faults();
  const signatures = faults.each(data.signatures, (signature, s): Signature => {
    const lineOf = (field: string): number => source.lineOf(['signatures', s, field]);
    const streams = expandStreams(table, signature.streams, (what) => new PackError(file, lineOf('streams'), what));
    return {
      id: signature.id,
      pattern: compilePattern({ key: `${data.id}/${signature.id}`, file, lineOf }, signature, streams, {
        keepTimes: signature.occurrences?.atLeast ?? 0,
      }),
      decisive: signature.decisive,
      wording: signature.wording,
      occurrences: signature.occurrences
        ? {
            atLeast: signature.occurrences.atLeast,
            withinMs: optionalMs(signature.occurrences.within),
            lastingMs: optionalMs(signature.occurrences.lasting),
          }
        : null,
      stays: signature.stays,
      requires: signature.requires.map((requirement) => compileRequirement(data.id, requirement)),
      appliesTo: listsOf(signature.appliesTo),
      derivedOnly: signature.samples.match.every((sample) => sample.source.startsWith('derived')),
    };
  });
  const stalls = faults.each(data.stalls, (stall, s): Stall => {
    const lineOf = (field: string): number => source.lineOf(['stalls', s, field]);
    return {
      id: stall.id,
      after: stall.after,
      without: stall.without,
      forMs: durationMs(stall.for),
      process:
        stall.process === undefined
          ? null
          : compilePattern(
              { key: `${data.id}/${stall.id}#process`, file, lineOf: () => lineOf('process') },
              { regex: stall.process, ignoreCase: false, not: [] },
              [table.processList],
            ),
      suspects: stall.suspects,
      appliesTo: listsOf(stall.appliesTo),
    };
  });
  const probes = faults.each(data.probes, (use, u) =>
    compileProbeUse(data.id, use, (what) => new PackError(file, source.lineOf(['probes', u]), what)),
  );
  if ((data.kind === 'cause') !== (data.repair !== undefined)) {
    const wanted = `needs repair: ${REPAIRS.join(' or ')}`;
    const what = data.kind === 'cause' ? `a cause ${wanted}` : 'a symptom has no repair: its cause says it';
    faults.add(new PackError(file, source.lineOf(data.kind === 'cause' ? ['kind'] : ['repair']), what));
  }
  faults.throwAny();
  return {
    id: data.id,
    title: data.title,
    kind: data.kind,
    group,
    phase: data.phase,
    severity: data.severity,
    persistsMs: durationMs(data.persists),
    repair: data.repair ?? null,
    summary: data.summary,
    explains: data.explains.map(compileExplanation),
    signatures,
    stalls,
    recoveredBy: data.recoveredBy,
    probes,
    remedy: data.remedy.map(compileStep),
    check: data.check.map(compileStep),
    idle: data.idle,
    image: data.image,
    falsePositives: data.falsePositives,
    awsChecks: data.awsChecks,
    references: data.references,
  };
}

function compileStep({ text, command, where, when }: PackFile['remedy'][number]): RemedyStep {
  return { text, command: command ?? null, where, when: listsOf(when) };
}

function compileExplanation(file: PackFile['explains'][number]): Explanation {
  if (typeof file === 'string') return { id: file, withinMs: null, onlyIfBefore: true };
  return { id: file.id, withinMs: optionalMs(file.within), onlyIfBefore: file.onlyIfBefore };
}

/** Every id that the given files name must be in the pack. @throws PackError with those that are not. */
export function checkReferences(
  sources: readonly CauseSource[],
  body: Pick<Pack, 'phases' | 'milestones' | 'causes'>,
): void {
  const phases = new Set(body.phases.map((phase) => phase.id));
  const milestones = new Set(body.milestones.map((milestone) => milestone.id));
  const causes = new Set(body.causes.map((cause) => cause.id));
  const signatures = new Set(
    body.causes.flatMap((cause) => cause.signatures.map((signature) => signature.pattern.key)),
  );
  const faults = new Faults();
  for (const { source } of sources) {
    const { data, file } = source;
    const expect = (known: boolean, path: (string | number)[], what: string): void => {
      if (!known) faults.add(new PackError(file, source.lineOf(path), what));
    };
    expect(phases.has(data.phase), ['phase'], `unknown phase "${data.phase}"`);
    data.explains.forEach((explanation, e) => {
      const target = typeof explanation === 'string' ? explanation : explanation.id;
      expect(causes.has(target), ['explains', e], `unknown id "${target}"`);
    });
    data.recoveredBy.forEach((reference, r) =>
      expect(
        milestones.has(reference) || signatures.has(reference),
        ['recoveredBy', r],
        `unknown milestone or signature "${reference}"`,
      ),
    );
    data.stalls.forEach((stall, s) => {
      for (const id of [stall.after, ...stall.without])
        expect(milestones.has(id), ['stalls', s], `unknown milestone "${id}"`);
    });
    for (const part of ['signatures', 'probes'] as const)
      data[part].forEach((user, u) =>
        user.requires.forEach((requirement, r) => {
          const { kind, target } = compileRequirement(data.id, requirement);
          const known =
            kind === 'signature' ? signatures.has(target) : kind === 'milestone' ? milestones.has(target) : true;
          expect(known, [part, u, 'requires', r], `unknown ${kind} "${target}"`);
        }),
      );
    const seen = new Set<string>();
    [...data.signatures, ...data.stalls].forEach((part) => {
      expect(!seen.has(part.id), ['signatures'], `the id ${part.id} is there twice`);
      seen.add(part.id);
    });
  }
  faults.throwAny();
}

/** A cause must not explain itself, not even by a detour. @throws PackError at one of the given files that is part of the circle. */
export function checkExplains(sources: readonly CauseSource[], causes: readonly Cause[]): void {
  const byId = new Map(causes.map((cause) => [cause.id, cause]));
  const done = new Set<string>();
  function walk(id: string, path: readonly string[]): void {
    const loop = path.indexOf(id);
    if (loop >= 0) {
      const circle = path.slice(loop);
      const { source } = sources.find((entry) => circle.includes(entry.source.data.id))!;
      throw new PackError(source.file, source.lineOf(['explains']), `explains itself: ${[...circle, id].join(' → ')}`);
    }
    if (done.has(id)) return;
    for (const explanation of byId.get(id)?.explains ?? []) walk(explanation.id, [...path, id]);
    done.add(id);
  }
  for (const cause of causes) walk(cause.id, []);
}
