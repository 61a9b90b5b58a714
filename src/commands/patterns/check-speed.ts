// Finds the expressions of pattern files that a hostile line could keep busy, by trying such lines.
import type { CauseSource, PackSources } from '../../signatures/compile.ts';
import type { YamlSource } from '../../signatures/read-yaml.ts';
import { RegexFormError } from '../../signatures/regex-syntax.ts';
import { type Expression, FACT_MAX_CHARS, MESSAGE_MAX_CHARS, slownessFault } from '../../signatures/slowness.ts';

/** An expression and where it is written. */
export interface WrittenExpression {
  readonly expression: Expression;
  /** Of its pattern, stall, probe or stream. */
  readonly key: string;
  readonly source: YamlSource<unknown>;
  readonly path: readonly (string | number)[];
}

interface PatternText {
  readonly id: string;
  readonly regex: string;
  readonly ignoreCase: boolean;
  readonly not: readonly string[];
  readonly unit?: string | undefined;
  readonly samples: { readonly match: readonly { readonly line: string }[] };
}

/** A line that is to show its stream by its content is as long as the reach round a hit. */
const LINE_MAX_CHARS = 128 * 1024;
/** Units and identifiers are cut by the log formats. */
const NAME_MAX_CHARS = 256;

/** `file:line: complaint` for each expression that some hostile text keeps busy. */
export function checkSpeed(expressions: readonly WrittenExpression[]): string[] {
  return expressions.flatMap(({ expression, key, source, path }) => {
    const fault = faultOf(expression);
    return fault === null ? [] : [`${source.file}:${source.lineOf(path)}: ${key}: ${fault}`];
  });
}

/** Those of streams have not been parsed before. */
function faultOf(expression: Expression): string | null {
  try {
    return slownessFault(expression);
  } catch (error) {
    if (error instanceof RegexFormError) return error.message;
    throw error;
  }
}

export function expressionsOfCauses(sources: readonly CauseSource[]): WrittenExpression[] {
  return sources.flatMap(({ source }) => {
    const { id, signatures, stalls, probes } = source.data;
    const plain = (
      regex: string,
      maxChars: number,
      path: readonly (string | number)[],
      of: string,
    ): WrittenExpression => {
      return { expression: { regex, flags: 's', maxChars, examples: [] }, key: `${id}/${of}`, source, path };
    };
    return [
      ...signatures.flatMap((signature, s) => expressionsOf(signature, `${id}/`, source, ['signatures', s])),
      ...stalls.flatMap((stall, s) =>
        stall.process === undefined
          ? []
          : [plain(stall.process, MESSAGE_MAX_CHARS, ['stalls', s, 'process'], stall.id)],
      ),
      ...probes.flatMap(({ probe, where }, p) =>
        where.flatMap((condition, w) =>
          condition.test === 'matches'
            ? [plain(condition.value, FACT_MAX_CHARS, ['probes', p, 'where', w], `${probe} ${condition.fact}`)]
            : [],
        ),
      ),
    ];
  });
}

/** Those of milestones and streams. */
export function expressionsOfBase({ phases, streams }: Pick<PackSources, 'phases' | 'streams'>): WrittenExpression[] {
  const milestones = phases.data.phases.flatMap((phase, p) =>
    phase.milestones.flatMap((milestone, m) => expressionsOf(milestone, '', phases, ['phases', p, 'milestones', m])),
  );
  const facts = phases.data.facts.flatMap((fact, f) => expressionsOf(fact, '', phases, ['facts', f]));
  const ofStreams = streams.data.streams.flatMap((stream, s) => {
    const written = (
      field: 'units' | 'identifiers' | 'content',
      n: number,
      regex: string,
      maxChars: number,
    ): WrittenExpression => {
      return {
        expression: { regex, flags: '', maxChars, examples: [] },
        key: stream.name,
        source: streams,
        path: ['streams', s, field, n],
      };
    };
    const names = (['units', 'identifiers'] as const).flatMap((field) =>
      stream[field].map((regex, n) => written(field, n, `^(?:${regex})$`, NAME_MAX_CHARS)),
    );
    return [...names, ...stream.content.map((regex, n) => written('content', n, regex, LINE_MAX_CHARS))];
  });
  return [...milestones, ...facts, ...ofStreams];
}

function expressionsOf(
  pattern: PatternText,
  prefix: string,
  source: YamlSource<unknown>,
  path: readonly (string | number)[],
): WrittenExpression[] {
  const common = { key: `${prefix}${pattern.id}`, source };
  const written = (regex: string, field: readonly (string | number)[]): WrittenExpression => {
    const expression = {
      regex,
      flags: pattern.ignoreCase ? 'si' : 's',
      maxChars: MESSAGE_MAX_CHARS,
      examples: pattern.samples.match.map(({ line }) => line),
    };
    return { ...common, expression, path: [...path, ...field] };
  };
  const unit: WrittenExpression[] =
    pattern.unit === undefined
      ? []
      : [
          {
            ...common,
            expression: { regex: pattern.unit, flags: '', maxChars: NAME_MAX_CHARS, examples: [] },
            path: [...path, 'unit'],
          },
        ];
  return [written(pattern.regex, ['regex']), ...pattern.not.map((regex, n) => written(regex, ['not', n])), ...unit];
}
