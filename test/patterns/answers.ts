// Answers of probes as kept cases tell them: `probe/code`, with facts where they matter. Asks no node.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROBES } from '../../src/probes/index.ts';
import type { FactTest, ProbeOutcome, ProbeResult, ProbeUse } from '../../src/types.ts';

export interface ToldAnswer {
  /** `probe/code` */
  readonly answer: string;
  readonly facts?: Readonly<Record<string, string | number | boolean>> | undefined;
}

export function resultOf(told: string | ToldAnswer): ProbeResult {
  const { answer, facts = {} } = typeof told === 'string' ? { answer: told } : told;
  const [probe, code] = answer.split('/') as [string, string];
  return { probe, code, outcome: outcomeOf(probe, code), facts, elapsedMs: 5 };
}

/** What the node of a capture answered: `probes.json` beside it; nothing where there is none. */
export function answersBeside(capture: string): ProbeResult[] {
  const file = join(dirname(capture), 'probes.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ToldAnswer[]).map(resultOf) : [];
}

/** An answer that this use is about, with facts that meet its conditions. */
export function answerFor({ probe, codes, where }: ProbeUse): ProbeResult {
  return resultOf({
    answer: `${probe}/${codes[0]!}`,
    facts: Object.fromEntries(where.map((condition) => [condition.fact, meeting(condition)])),
  });
}

function meeting(condition: FactTest): string | number | boolean {
  switch (condition.test) {
    case 'in':
      return condition.value[0]!;
    case 'matches':
      return condition.value
        .replaceAll(/\(\?:|[()|\\^$]/g, ' ')
        .trim()
        .split(/\s+/)[0]!;
    case 'equals':
    case 'atLeast':
    case 'atMost':
      return condition.value;
  }
}

/** By the probe's own table; the rest is what the runner says when the time is over. */
function outcomeOf(probe: string, code: string): ProbeOutcome {
  return PROBES.find(({ name }) => name === probe)?.answers[code]?.outcome ?? 'timeout';
}
