// Finds the expressions of pattern files that a hostile line could keep busy.
import type { CauseSource, PackSources } from '../../signatures/compile.ts';
import type { YamlSource } from '../../signatures/read-yaml.ts';
import { slownessOf } from '../../signatures/slowness.ts';

interface Written {
  readonly regex: string;
  readonly ignoreCase: boolean;
  readonly key: string;
  readonly source: YamlSource<unknown>;
  readonly path: readonly (string | number)[];
  /** Longest text that it meets; default: a message. */
  readonly chars?: number;
}

interface PatternText {
  readonly id: string;
  readonly regex: string;
  readonly ignoreCase: boolean;
  readonly not: readonly string[];
  readonly unit?: string | undefined;
}

/** A line that is to show its stream by its content is as long as the reach round a hit. */
const LINE_MAX_CHARS = 128 * 1024;
const NAME_MAX_CHARS = 256;

/** `file:line: complaint` for each expression of these causes that is not proven quick. */
export function checkSpeedOfCauses(sources: readonly CauseSource[]): string[] {
  return sources.flatMap(({ source }) => {
    const { id, signatures, stalls } = source.data;
    const processes = stalls.flatMap((stall, s) => {
      const path = ['stalls', s, 'process'];
      return stall.process === undefined ? [] : [{ regex: stall.process, ignoreCase: false, key: `${id}/${stall.id}`, source, path }];
    });
    return [...signatures.flatMap((signature, s) => expressionsOf(signature, `${id}/`, source, ['signatures', s])), ...processes].flatMap(complain);
  });
}

/** The same for milestones and streams. */
export function checkSpeedOfBase({ phases, streams }: PackSources): string[] {
  const milestones = phases.data.phases.flatMap((phase, p) =>
    phase.milestones.flatMap((milestone, m) => expressionsOf(milestone, '', phases, ['phases', p, 'milestones', m])),
  );
  const facts = phases.data.facts.flatMap((fact, f) => expressionsOf(fact, '', phases, ['facts', f]));
  const ofStreams = streams.data.streams.flatMap((stream, s) => {
    const common = { ignoreCase: false, key: stream.name, source: streams };
    const names = (['units', 'identifiers'] as const).flatMap((field) =>
      stream[field].map((regex, n) => ({ ...common, regex: `^(?:${regex})$`, path: ['streams', s, field, n], chars: NAME_MAX_CHARS })),
    );
    return [...names, ...stream.content.map((regex, n) => ({ ...common, regex, path: ['streams', s, 'content', n], chars: LINE_MAX_CHARS }))];
  });
  return [...milestones, ...facts, ...ofStreams].flatMap(complain);
}

function expressionsOf(pattern: PatternText, prefix: string, source: YamlSource<unknown>, path: readonly (string | number)[]): Written[] {
  const common = { ignoreCase: pattern.ignoreCase, key: `${prefix}${pattern.id}`, source };
  return [
    { ...common, regex: pattern.regex, path: [...path, 'regex'] },
    ...pattern.not.map((regex, n) => ({ ...common, regex, path: [...path, 'not', n] })),
    ...(pattern.unit === undefined ? [] : [{ ...common, ignoreCase: false, regex: pattern.unit, path: [...path, 'unit'], chars: NAME_MAX_CHARS }]),
  ];
}

function complain({ regex, ignoreCase, key, source, path, chars }: Written): string[] {
  const slowness = slownessOf(regex, ignoreCase, chars);
  return slowness === null ? [] : [`${source.file}:${source.lineOf(path)}: ${key}: ${slowness}`];
}
