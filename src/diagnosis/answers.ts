// What the answers of probes say about a cause by the words of its file. Knows no probe by its name.
import type { Bearing, Cause, FactTest, ProbeResult, ProbeUse } from '../types.ts';
import type { BootProgress } from './boot-progress.ts';
import { applies, type Facts } from './facts.ts';
import { isMet, type Known } from './requirements.ts';

export interface Answer {
  readonly result: ProbeResult;
  readonly as: Bearing;
}

/** How far the boot is when its probes are judged. */
export interface BootState extends Pick<BootProgress, 'stalled' | 'idleMs'> {
  readonly ready: boolean;
}

/** A fact is compared by its first 1,000 characters: expressions are measured on as many before they count. */
const FACT_MAX_CHARS = 1_000;

/**
 * Every answer that says something about the cause. What would prove it in other circumstances still confirms it. A Ready
 * node is proof enough against what a probe alone would prove.
 */
export function answersAbout(cause: Cause, facts: Facts, known: Known, boot: BootState): Answer[] {
  return known.probes.flatMap((result): Answer[] => {
    const uses = cause.probes.filter((use) => speaks(use, result, facts));
    if (uses.length === 0) return [];
    const proof = uses.find((use) => use.as === 'proves' && provesNow(use, known, boot));
    const { as } = proof ?? uses[0]!;
    return [{ result, as: as === 'proves' && proof === undefined ? 'confirms' : as }];
  });
}

function speaks(use: ProbeUse, result: ProbeResult, facts: Facts): boolean {
  return (
    use.probe === result.probe &&
    use.codes.includes(result.code) &&
    applies(use.appliesTo, facts) &&
    use.where.every((condition) => passes(condition, result.facts[condition.fact]))
  );
}

function provesNow({ when, requires }: ProbeUse, known: Known, boot: BootState): boolean {
  return (
    !boot.ready && (when === 'always' || boot.stalled) && requires.every((requirement) => isMet(requirement, known))
  );
}

/** An unknown fact passes no condition. */
export function passes(condition: FactTest, fact: string | number | boolean | undefined): boolean {
  if (fact === undefined) return false;
  switch (condition.test) {
    case 'equals':
      return fact === condition.value;
    case 'in':
      return condition.value.some((value) => value === fact);
    case 'matches':
      return new RegExp(condition.value, 's').test(String(fact).slice(0, FACT_MAX_CHARS));
    case 'atLeast':
      return typeof fact === 'number' && fact >= condition.value;
    case 'atMost':
      return typeof fact === 'number' && fact <= condition.value;
  }
}
