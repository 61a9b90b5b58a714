// Runs the samples of pattern files through the shipped matcher: each line that must match does, with its captures, and
// each that must not does not. Where one does not, it says why.
import { createMatcher } from '../../matching/matcher.ts';
import type { CauseSource, PackSources } from '../../signatures/compile.ts';
import type { YamlSource } from '../../signatures/read-yaml.ts';
import type { SamplesFile } from '../../signatures/schema.ts';
import type { MatchSummary, Pack, Pattern } from '../../types.ts';

/** A pattern with its samples and the place of both in a file. */
export interface Sampled {
  readonly pattern: Pattern;
  readonly samples: SamplesFile;
  readonly source: YamlSource<unknown>;
  readonly path: readonly (string | number)[];
}

interface Sample {
  readonly line: string;
  readonly stream?: string | undefined;
}

/** Any date will do: samples are judged by their text. */
const REFERENCE_MS = Date.UTC(2025, 0, 1);
const SHOWN_MAX_CHARS = 220;

/** `file:line: complaint`, one a sample that is not as its file says. */
export function checkSamples(pack: Pack, sampled: readonly Sampled[]): string[] {
  return sampled.flatMap(({ pattern, samples, source, path }) => {
    const complain = (kind: string, index: number, what: string): string =>
      `${source.file}:${source.lineOf([...path, 'samples', kind, index])}: ${pattern.key}: ${what}`;
    const matched = samples.match.flatMap((sample, index) => {
      const summary = tryLine(pack, pattern, sample);
      if (summary === undefined)
        return [complain('match', index, `the sample does not match: ${reasonOf(pack, pattern, sample)}`)];
      return Object.entries(sample.captures ?? {})
        .filter(([name, value]) => summary.captures[name] !== value)
        .map(([name, value]) =>
          complain(
            'match',
            index,
            `the sample gives ${name}=${JSON.stringify(summary.captures[name] ?? null)}, not ${JSON.stringify(value)}`,
          ),
        );
    });
    const rejected = samples.reject.flatMap((sample, index) =>
      tryLine(pack, pattern, sample) === undefined
        ? []
        : [complain('reject', index, `the sample matches, but must not: ${sample.because}`)],
    );
    return [...matched, ...rejected];
  });
}

export function samplesOfCauses(pack: Pack, sources: readonly CauseSource[]): Sampled[] {
  const patterns = new Map(
    pack.causes.flatMap((cause) => cause.signatures.map(({ pattern }) => [pattern.key, pattern])),
  );
  return sources.flatMap(({ source }) =>
    source.data.signatures.map((signature, index) => ({
      pattern: patterns.get(`${source.data.id}/${signature.id}`)!,
      samples: signature.samples,
      source,
      path: ['signatures', index],
    })),
  );
}

export function samplesOfMilestones(pack: Pack, { phases }: Pick<PackSources, 'phases'>): Sampled[] {
  const patterns = new Map(pack.milestones.map(({ id, pattern }) => [id, pattern]));
  return [
    ...phases.data.phases.flatMap((phase, p) =>
      phase.milestones.map(({ id, samples }, m) => ({
        pattern: patterns.get(id)!,
        samples,
        source: phases,
        path: ['phases', p, 'milestones', m],
      })),
    ),
    ...phases.data.facts.map(({ id, samples }, f) => ({
      pattern: patterns.get(id)!,
      samples,
      source: phases,
      path: ['facts', f],
    })),
  ];
}

/** What the pattern makes of the sample when nothing else can match. */
export function tryLine(pack: Pack, pattern: Pattern, sample: Sample): MatchSummary | undefined {
  const alone: Pack = {
    ...pack,
    causes: [],
    milestones: [{ id: pattern.key, kind: 'fact', phase: null, title: '', pattern, facts: {} }],
  };
  const matcher = createMatcher(alone, { referenceMs: REFERENCE_MS });
  const stream = sample.stream ?? pattern.streams?.[0] ?? null;
  const reader = matcher.open({ name: 'sample', stream: stream === 'unknown' ? null : stream, exported: false });
  reader.push(Buffer.from(`${sample.line}\n`));
  matcher.close(reader);
  const { matches, earlierMatches } = matcher.result();
  return matches.get(pattern.key) ?? earlierMatches.get(pattern.key);
}

/** Its literals, its stream, or its message. */
function reasonOf(pack: Pack, pattern: Pattern, sample: Sample): string {
  const folded = (text: string): string => (pattern.ignoreCase ? text.toLowerCase() : text);
  if (!pattern.literals.some((literal) => folded(sample.line).includes(folded(literal))))
    return `none of its literals stands in the raw line: ${JSON.stringify(pattern.literals)}`;
  const seen = tryLine(
    pack,
    { ...pattern, regex: '^[^]*$', ignoreCase: false, not: [], levels: null, unit: null, streams: null },
    sample,
  );
  if (seen === undefined) return 'the line is dropped as a stack frame or as output of this tool';
  const { message, stream, level, unit } = seen.first;
  return `stream ${stream}, level ${level ?? 'unknown'}, unit ${unit ?? 'unknown'}, message ${JSON.stringify(message.slice(0, SHOWN_MAX_CHARS))}`;
}
