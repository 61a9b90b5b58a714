// The lines of a benchmark log that the analyzer has to look at: samples of the pack, and harmless lines that hold one of
// its literals.
import { unwrapOuter } from '../../src/matching/formats/index.ts';
import { newLineState } from '../../src/matching/line-state.ts';
import { patternsOf } from '../../src/matching/matcher.ts';
import type { PackSources } from '../../src/signatures/compile.ts';
import type { Pack } from '../../src/types.ts';
import { identityOf } from '../patterns/identities.ts';
import { streamOf } from '../patterns/sample-checks.ts';
import { subjectsOf } from '../patterns/subjects.ts';
import type { Line } from './line.ts';

const CLOCK = { referenceMs: Date.UTC(2025, 4, 6) };

/** Match samples of one line, each under the name that leads to its stream; streams without a name have none. */
export function interestingLines(sources: PackSources, pack: Pack): Omit<Line, 'nowMs'>[] {
  return subjectsOf(sources, pack).flatMap((subject) =>
    subject.samples.match
      .filter(({ line }) => !line.includes('\n') && !subject.pattern.startsBoot)
      .flatMap((sample) => {
        const stream = streamOf(subject, sample);
        const identity = stream === null ? null : identityOf(pack.streamTable, stream);
        if (identity === null) return [];
        const state = newLineState(sample.line);
        unwrapOuter(state, CLOCK);
        const name = identity.pid === null ? identity.identifier : `${identity.identifier}[${identity.pid}]`;
        return [{ name, unit: identity.unit, text: state.text }];
      }),
  );
}

/** Every literal in a remark of the time service, which no cause asks. */
export function benignLines(pack: Pack): Omit<Line, 'nowMs'>[] {
  const literals = [...new Set(patternsOf(pack).flatMap((pattern) => pattern.literals))];
  return literals.flatMap((literal) => [
    {
      name: 'chronyd[1489]',
      unit: 'chronyd.service',
      text: `Note of the operator: ${literal} was seen before, nothing to do`,
    },
    {
      name: 'kubelet[2291]',
      unit: 'kubelet.service',
      text: `I0506 08:15:44.000000    2291 server.go:310] "Remark" note="(${literal})" harmless=true`,
    },
  ]);
}
