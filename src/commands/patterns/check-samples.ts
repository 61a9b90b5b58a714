// Runs the samples of pattern files through the shipped matcher: each line that must match does, with its captures, and
// each that must not does not.
import { createMatcher } from '../../matching/matcher.ts';
import type { CauseSource } from '../../signatures/compile.ts';
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

/** Any date will do: samples are judged by their text. */
const REFERENCE_MS = Date.UTC(2025, 0, 1);

/** `file:line: complaint`, one a sample that is not as its file says. */
export function checkSamples(pack: Pack, sampled: readonly Sampled[]): string[] {
  return sampled.flatMap(({ pattern, samples, source, path }) => {
    const complain = (kind: string, index: number, what: string): string =>
      `${source.file}:${source.lineOf([...path, 'samples', kind, index])}: ${pattern.key}: ${what}`;
    const matched = samples.match.flatMap((sample, index) => {
      const summary = tryLine(pack, pattern, sample);
      if (summary === undefined) return [complain('match', index, 'the sample does not match')];
      return Object.entries(sample.captures ?? {})
        .filter(([name, value]) => summary.captures[name] !== value)
        .map(([name, value]) =>
          complain('match', index, `the sample gives ${name}=${JSON.stringify(summary.captures[name] ?? null)}, not ${JSON.stringify(value)}`),
        );
    });
    const rejected = samples.reject.flatMap((sample, index) =>
      tryLine(pack, pattern, sample) === undefined ? [] : [complain('reject', index, `the sample matches, but must not: ${sample.because}`)],
    );
    return [...matched, ...rejected];
  });
}

export function samplesOfCauses(pack: Pack, sources: readonly CauseSource[]): Sampled[] {
  const patterns = new Map(pack.causes.flatMap((cause) => cause.signatures.map(({ pattern }) => [pattern.key, pattern])));
  return sources.flatMap(({ source }) =>
    source.data.signatures.map((signature, index) => ({
      pattern: patterns.get(`${source.data.id}/${signature.id}`)!,
      samples: signature.samples,
      source,
      path: ['signatures', index],
    })),
  );
}

function tryLine(pack: Pack, pattern: Pattern, sample: { readonly line: string; readonly stream?: string | undefined }): MatchSummary | undefined {
  const alone: Pack = { ...pack, causes: [], milestones: [{ id: pattern.key, kind: 'fact', phase: null, title: '', pattern, facts: {} }] };
  const matcher = createMatcher(alone, { referenceMs: REFERENCE_MS });
  const reader = matcher.open({ name: 'sample', stream: sample.stream ?? pattern.streams?.[0] ?? null, exported: false });
  reader.push(Buffer.from(`${sample.line}\n`));
  matcher.close(reader);
  const { matches, earlierMatches } = matcher.result();
  return matches.get(pattern.key) ?? earlierMatches.get(pattern.key);
}
