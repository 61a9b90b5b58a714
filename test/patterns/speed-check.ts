// Judges whether a hostile line can stall an expression: recheck says whether matching is linear. What it proves to be
// exponential or of the third degree is refused. What it proves quadratic, and what only wide bounded repeats keep from
// worse, must stay quick on recheck's own attack, grown to the longest text that the expression ever meets. All must stay
// quick on the beginnings of their samples, repeated to that length: the attack that anyone would try first.
import { createContext, Script } from 'node:vm';
import type { Expression } from './all-expressions.ts';
import { type Attack, RECHECK_LIMIT_MS, recheckAnswer } from './recheck-answers.ts';
import { relaxed } from './relaxed.ts';

/** What an expression may cost, in units of `referenceMs`: 20 ms where a step back takes 1 ns. */
const BOUNDED_REFERENCES = 2.5;
const REFERENCE_CHARS = 4000;
const RUN_LIMIT_MS = 2_000;
const CUTS = [0.25, 0.5, 0.75, 1];
const HINT = 'anchor it with ^, write more text before the first .*, or say what stands there (\\S+, [^"]+)';

export interface SpeedVerdict {
  /** `guessed`: recheck tried attacks and found none, but proves nothing. */
  readonly kind: 'linear' | 'guessed' | 'bounded' | 'slow';
  /** For `slow` the reason, else recheck's own words. */
  readonly what: string;
}

export async function checkSpeed(expression: Expression): Promise<SpeedVerdict> {
  const { regex, flags, maxChars } = expression;
  const unbounded = relaxed(regex);
  const answer = await recheckAnswer(unbounded, flags);
  if (answer === null) return { kind: 'slow', what: `recheck found no answer within ${RECHECK_LIMIT_MS / 1000} s` };
  const { complexity, degree, proven, attack } = answer;
  if (degree > 2 && proven && unbounded === regex) return { kind: 'slow', what: `${complexity}: ${HINT}` };
  const attacks = [...(attack === null ? [] : [grown(attack, maxChars)]), ...(proven && attack === null ? [] : grownExamples(expression))];
  const ms = Math.max(0, ...attacks.map((text) => quickest(new RegExp(regex, flags), text)));
  if (ms > BOUNDED_REFERENCES * referenceMs()) {
    const took = ms === Infinity ? `over ${RUN_LIMIT_MS}` : ms.toFixed(1);
    return { kind: 'slow', what: `${complexity}, ${took} ms on a hostile text of ${maxChars} characters: ${HINT}` };
  }
  return { kind: attack !== null ? 'bounded' : proven ? 'linear' : 'guessed', what: complexity };
}

/** recheck's attack with its pumps repeated until the text has `chars` characters. */
function grown({ pumps, suffix }: Attack, chars: number): string {
  const fixed = suffix.length + pumps.reduce((sum, { prefix }) => sum + prefix.length, 0);
  const once = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.max(1, Math.floor((chars - fixed) / once));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
}

function grownExamples({ examples, maxChars }: Expression): string[] {
  return examples.flatMap((example) =>
    CUTS.map((cut) => example.slice(0, Math.ceil(example.length * cut))).map((part) => part.repeat(Math.floor(maxChars / part.length)) || part),
  );
}

const bench = createContext({});
const run = new Script('regex.test(text)');
const RUNS = [1, 2, 3, 4, 5];
/** Nothing to gain from a second run. */
const QUICK_MS = 2;

/** The first run also compiles the expression, and other work may disturb any of them. Infinity past the limit. */
function quickest(regex: RegExp, text: string): number {
  Object.assign(bench, { regex, text });
  let best = Infinity;
  for (const _ of RUNS) {
    if (best < QUICK_MS) break;
    const start = performance.now();
    try {
      run.runInContext(bench, { timeout: RUN_LIMIT_MS });
    } catch {
      return Infinity;
    }
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

let measuredMs: number | null = null;

/** Time of eight million steps, so that a slow machine judges like a quick one. */
function referenceMs(): number {
  measuredMs ??= quickest(/x.*y/s, 'x'.repeat(REFERENCE_CHARS));
  return measuredMs;
}
