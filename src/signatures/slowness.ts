// Says why a hostile line could keep an expression busy, or that none can: the proof that `patterns check` asks for. It is
// careful: what it cannot prove it refuses. A run does without it.
import { countSteps, type StepCount } from './count-steps.ts';
import { parseRegex } from './regex-syntax.ts';

/** A message is cut here before any expression sees it. */
export const MESSAGE_MAX_CHARS = 16 * 1024;
/** About 30 ms on one core: a step takes 1 ns. */
export const STEPS_MAX = 30_000_000;
const PART_MAX_CHARS = 60;

/** One sentence with the part to be rewritten, or null if no text of `chars` characters can cost more than STEPS_MAX steps. */
export function slownessOf(regex: string, ignoreCase: boolean, chars: number = MESSAGE_MAX_CHARS): string | null {
  const count = countSteps(regex, parseRegex(regex), { ignoreCase, chars });
  return count.steps <= STEPS_MAX ? null : sentence(regex, count);
}

function sentence(regex: string, { kind, worst, steps }: StepCount): string {
  const { start, end } = worst!;
  const part = `${clipped(regex.slice(start, end))} at character ${start + 1}`;
  switch (kind) {
    case 'ambiguous':
      return `a hostile line can make it hang: ${part} can divide the same text in several ways; let each round begin and end with a character that the rest of it cannot hold, as in (?:[^,]{1,60},){0,9}`;
    case 'wide':
      return 'it has too many alternatives to prove that no line can make it hang; divide it into several signatures';
    case 'costly':
      return `a hostile line can keep it busy for about ${Math.ceil(Math.min(steps, Number.MAX_SAFE_INTEGER) / 1_000_000).toLocaleString('en')} million steps, most of them in ${part}; begin with ^ or with more fixed text, say which characters can stand there ([^"\\s] instead of .), or bound it ({0,200} instead of *)`;
  }
}

function clipped(part: string): string {
  return part.length <= PART_MAX_CHARS ? part : `${part.slice(0, PART_MAX_CHARS)}…`;
}
