// Sends every sample through every carrier that can hold it: the same expression must match with the same captures.
import { isDeepStrictEqual } from 'node:util';
import { unwrapInner, unwrapOuter } from '../../src/matching/formats/index.ts';
import { newLineState } from '../../src/matching/line-state.ts';
import type { Level, MatchSummary, Pack } from '../../src/types.ts';
import { type CarriedInput, carryKernel, carryNamed, carryNameless, type Payload } from './carriers.ts';
import { complaint, shown } from './complaint.ts';
import { identityOf } from './identities.ts';
import { capturesOf } from './captures-of.ts';
import { type Candidate, readCandidates } from './read-candidates.ts';
import { CLOCK, readAlone } from './read-lines.ts';
import { matchSample } from './sample-checks.ts';
import type { Subject } from './subjects.ts';

interface Carried extends CarriedInput {
  readonly subject: Subject;
  /** Index of the match sample. */
  readonly sample: number;
  readonly plain: MatchSummary;
}

export function checkCarriers(pack: Pack, subjects: readonly Subject[]): string[] {
  const inputs = subjects.flatMap((subject) =>
    subject.samples.match.flatMap(({ line }, sample) => {
      const plain = matchSample(pack, subject, sample);
      return plain === undefined
        ? []
        : carried(pack, subject, line, plain).map((input): Carried => ({ ...input, subject, sample, plain }));
    }),
  );
  const candidates = readCandidates(pack, inputs);
  return inputs
    .filter((input) => !arrives(input, candidates.get(input)!))
    .flatMap((input) => complainAbout(pack, input));
}

/** True if a record came of it that its expression takes, with the captures of the plain sample. */
function arrives({ subject: { pattern }, plain }: Carried, candidates: readonly Candidate[]): boolean {
  return candidates.some(
    ({ record, literals }) =>
      pattern.literals.some((literal) => literals.has(literal)) &&
      isDeepStrictEqual(capturesOf(pattern, record), plain.captures),
  );
}

/** The shipped matcher has the last word. */
function complainAbout(pack: Pack, input: Carried): string[] {
  const { subject, sample, plain } = input;
  const seen = readAlone(pack, subject.pattern, input);
  if (seen !== undefined && isDeepStrictEqual(seen.captures, plain.captures)) return [];
  const what =
    seen === undefined
      ? 'is lost'
      : `captures ${JSON.stringify(seen.captures)} instead of ${JSON.stringify(plain.captures)}`;
  return [
    complaint(
      subject,
      ['samples', 'match', sample],
      `${what} as ${input.carrier}: ${shown(Buffer.from(input.bytes).toString())}`,
    ),
  ];
}

/** The sample in every carrier, as far as the carrier tells what the expression asks for. */
function carried(pack: Pack, subject: Subject, line: string, plain: MatchSummary): CarriedInput[] {
  const { stream, level, unit } = plain.first;
  const { levels, unit: wantedUnit } = subject.pattern;
  const payload: Payload = {
    text: line.split('\n').map(withoutOuter).join('\n'),
    priority: level === null ? null : PRIORITY_OF[level],
    about: stream === 'systemd' ? unit : null,
  };
  const identity = identityOf(pack.streamTable, stream);
  const needsJournal =
    (levels !== null && !tellsLevel(payload.text)) || (wantedUnit !== null && !tellsUnit(payload.text, wantedUnit));
  const inputs = [
    ...(identity === null
      ? []
      : carryNamed(payload, wantedUnit !== null && stream !== 'systemd' ? { ...identity, unit } : identity)),
    ...(stream === 'kernel' ? carryKernel(payload) : []),
    ...(subject.pattern.startsBoot || stream === 'systemd'
      ? []
      : carryNameless(payload, stream === 'unknown' ? null : stream)),
  ];
  return needsJournal ? inputs.filter(({ carrier }) => carrier.startsWith('journalctl')) : inputs;
}

const PRIORITY_OF: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 };

/** A line as its program wrote it. */
function withoutOuter(line: string): string {
  const state = newLineState(line);
  unwrapOuter(state, CLOCK);
  return state.text;
}

function tellsLevel(text: string): boolean {
  const state = newLineState(text);
  unwrapInner(state, CLOCK);
  return state.level !== null;
}

function tellsUnit(text: string, wanted: string): boolean {
  const named = /^(?<unit>[\w.@\\:-]+\.\w+): /.exec(text)?.groups?.['unit'];
  return named !== undefined && new RegExp(wanted).test(named);
}
