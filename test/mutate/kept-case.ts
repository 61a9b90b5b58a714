// Everything kept that a diagnosis must satisfy, with what matched in it, read once: short cases, scenarios, healthy boots.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { MatchResult, Pack, ProbeResult } from '../../src/types.ts';
import { answersBeside } from '../patterns/answers.ts';
import { captures } from '../patterns/capture-folders.ts';
import { type Expectation, faultsOf } from '../patterns/expectation.ts';
import { faultsOfHealthy } from '../patterns/healthy.ts';
import { readShortCases, type ShortCase } from '../patterns/short-cases.ts';
import { readStory, type StoryLine, UnknownLineError } from '../patterns/story.ts';
import type { Subject } from '../patterns/subjects.ts';
import { judge, matchesOf } from '../patterns/verdict-of.ts';

export interface KeptCase {
  readonly name: string;
  /** Causes and symptoms of which anything matched or was asked. */
  readonly ids: ReadonlySet<string>;
  /** Lines that these signatures must leave to others. */
  readonly unmatched: readonly string[];
  readonly lines: readonly StoryLine[];
  /** True if this pack diagnoses the case as it should. */
  holds(pack: Pack): boolean;
}

/** `ids`: only what names one of these; null: everything. */
export async function readKeptCases(
  pack: Pack,
  subjects: ReadonlyMap<string, Subject>,
  ids: readonly string[] | null,
): Promise<KeptCase[]> {
  const names = (text: string): boolean => ids === null || ids.some((id) => text.includes(id));
  const symptoms = new Set(pack.causes.filter(({ kind }) => kind === 'symptom').map(({ id }) => id));
  const cases = readShortCases(symptoms)
    .filter((one) => names(JSON.stringify(one)))
    .map((one) => keepShort(pack, subjects, one));
  for (const folder of captures('scenarios')) {
    const text = readFileSync(join(dirname(folder), 'expected.json'), 'utf8');
    if (!names(text)) continue;
    const result = await matchesOf(pack, folder);
    const expected = JSON.parse(text) as Expectation;
    const probes = answersBeside(folder);
    cases.push(
      keep(
        pack,
        basename(dirname(folder)),
        result,
        (mutated) => faultsOf(judge(mutated, result, probes), expected),
        probes,
      ),
    );
  }
  for (const folder of ids === null ? captures('healthy') : []) {
    const result = await matchesOf(pack, folder);
    cases.push(
      keep(pack, `healthy ${basename(dirname(folder))}`, result, (mutated) => faultsOfHealthy(mutated, result)),
    );
  }
  return cases;
}

function keepShort(
  pack: Pack,
  subjects: ReadonlyMap<string, Subject>,
  { name, lines, probes, expect }: ShortCase,
): KeptCase {
  try {
    const result = readStory(pack, subjects, lines);
    const kept = keep(pack, name, result, (mutated) => faultsOf(judge(mutated, result, probes), expect), probes);
    return { ...kept, unmatched: expect.unmatched ?? [], lines };
  } catch (error) {
    if (!(error instanceof UnknownLineError)) throw error;
    return { name, ids: new Set(), unmatched: [], lines: [], holds: () => false };
  }
}

function keep(
  pack: Pack,
  name: string,
  { matches }: MatchResult,
  faults: (mutated: Pack) => string[],
  probes: readonly ProbeResult[] = [],
): KeptCase {
  const ids = pack.causes
    .filter(
      ({ signatures, stalls, probes: uses }) =>
        signatures.some(({ pattern }) => matches.has(pattern.key)) ||
        stalls.some(({ after }) => matches.has(after)) ||
        uses.some((use) => probes.some(({ probe }) => probe === use.probe)),
    )
    .map(({ id }) => id);
  return { name, ids: new Set(ids), unmatched: [], lines: [], holds: (mutated) => faults(mutated).length === 0 };
}
