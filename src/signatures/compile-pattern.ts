// Compiles one expression with its gate into the matcher's shape, or says what is wrong with it.
import type { Pattern } from '../types.ts';
import { deriveLiterals, literalFault } from './literals.ts';
import { PackError } from './read-yaml.ts';
import { parseRegex, RegexFormError } from './regex-syntax.ts';
import type { PatternFile } from './schema.ts';

export interface PatternPlace {
  readonly key: string;
  readonly file: string;
  /** Line of a field of the pattern (`regex`, `literals`, …). */
  lineOf(field: string): number;
}

const TIMES_KEPT_MAX = 100;

/** @throws PackError if the expression has a forbidden form or no literal that can gate it. */
export function compilePattern(
  place: PatternPlace,
  source: PatternFile,
  streams: readonly string[] | null,
  options: { readonly keepTimes?: number; readonly startsBoot?: boolean } = {},
): Pattern {
  const tree = parse(place, 'regex', source.regex);
  for (const expression of source.not) parse(place, 'not', expression);
  if (source.unit !== undefined) parse(place, 'unit', source.unit);
  return {
    key: place.key,
    streams,
    regex: source.regex,
    ignoreCase: source.ignoreCase,
    literals: literalsOf(place, source, tree),
    not: source.not,
    levels: source.level ?? null,
    unit: source.unit ?? null,
    keepTimes: Math.min(options.keepTimes ?? 0, TIMES_KEPT_MAX),
    startsBoot: options.startsBoot ?? false,
    guarded: false,
  };
}

function parse(place: PatternPlace, field: string, expression: string): ReturnType<typeof parseRegex> {
  try {
    return parseRegex(expression);
  } catch (error) {
    if (error instanceof RegexFormError)
      throw new PackError(place.file, place.lineOf(field), `${place.key}: ${field}: ${error.message}`);
    throw error;
  }
}

function literalsOf(place: PatternPlace, source: PatternFile, tree: ReturnType<typeof parseRegex>): readonly string[] {
  if (source.literals === undefined) {
    const derived = deriveLiterals(tree);
    if (derived !== null) return derived;
    throw new PackError(
      place.file,
      place.lineOf('regex'),
      `${place.key}: no text of at least 4 plain ASCII characters is required by the expression; name some in "literals"`,
    );
  }
  for (const literal of source.literals) {
    const fault = literalFault(literal);
    if (fault !== null)
      throw new PackError(place.file, place.lineOf('literals'), `${place.key}: the literal "${literal}" ${fault}`);
  }
  return source.literals;
}
