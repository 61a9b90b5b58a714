// Judges whether a hostile line can stall an expression: recheck says whether matching is linear. What it proves to be
// exponential or of the third degree is refused; what it proves quadratic, or only guesses (bounded repeats make it guess),
// must stay quick on recheck's own attack, grown to the longest text that the expression ever meets.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { CACHE } from '../../build/project.ts';
import type { Pattern } from '../../src/types.ts';

/** A message is cut here before any expression sees it. */
const MESSAGE_MAX_CHARS = 16 * 1024;
const UNIT_MAX_CHARS = 4096;
/** What an expression may cost, in units of `referenceMs`: 20 ms where a step back takes 1 ns. */
const BOUNDED_REFERENCES = 2.5;
const REFERENCE_CHARS = 4000;
const RECHECK_LIMIT_MS = 20_000;
const EXPONENTIAL = 99;
const HINT = 'anchor it with ^, write more text before the first .*, or say what stands there (\\S+, [^"]+)';
const FOLDER = join(CACHE, 'recheck');

export interface Expression {
  readonly regex: string;
  readonly flags: string;
  /** Longest text that it is run on. */
  readonly maxChars: number;
}

export interface SpeedVerdict {
  readonly kind: 'linear' | 'bounded' | 'slow';
  /** For `slow` the reason, else recheck's own words. */
  readonly what: string;
}

interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

/** What is kept of recheck's answer; it depends on the expression alone, so it is kept on disk. */
interface Answer {
  readonly complexity: string;
  /** 1 for linear and less. */
  readonly degree: number;
  /** False where recheck only tried attacks. */
  readonly proven: boolean;
  /** Null where it is linear. */
  readonly attack: Attack | null;
}

export async function checkSpeed(expression: Expression): Promise<SpeedVerdict> {
  const answer = await recheckOnce(expression);
  const { regex, flags, maxChars } = expression;
  if (answer === null) return { kind: 'slow', what: `recheck found no answer within ${RECHECK_LIMIT_MS / 1000} s` };
  const { complexity, degree, proven, attack } = answer;
  if (attack === null) return { kind: 'linear', what: complexity };
  if (degree === EXPONENTIAL || (degree > 2 && proven)) return { kind: 'slow', what: `${complexity}: ${HINT}` };
  const ms = bestOfFive(new RegExp(regex, flags), attackOf(attack, maxChars));
  const what = `${complexity}, ${ms.toFixed(1)} ms on the worst ${maxChars} characters`;
  return ms < BOUNDED_REFERENCES * referenceMs() ? { kind: 'bounded', what } : { kind: 'slow', what: `${what}: ${HINT}` };
}

async function recheckOnce({ regex, flags }: Expression): Promise<Answer | null> {
  const file = join(FOLDER, `${createHash('sha256').update(`${flags}/${regex}`).digest('hex').slice(0, 32)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Answer;
  const found = await check(regex, flags, { timeout: RECHECK_LIMIT_MS });
  if (found.status === 'unknown') return null;
  const { complexity } = found;
  const answer: Answer = {
    complexity: complexity.summary,
    degree: complexity.type === 'polynomial' ? complexity.degree : complexity.type === 'exponential' ? EXPONENTIAL : 1,
    proven: !complexity.isFuzz,
    attack: found.status === 'vulnerable' ? found.attack : null,
  };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(answer));
  renameSync(`${file}.${process.pid}`, file);
  return answer;
}

/** recheck's attack with its pumps repeated until the text has `chars` characters. */
function attackOf({ pumps, suffix }: Attack, chars: number): string {
  const fixed = suffix.length + pumps.reduce((sum, { prefix }) => sum + prefix.length, 0);
  const once = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.max(1, Math.floor((chars - fixed) / once));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
}

/** The first run also compiles the expression, and other work may disturb any of them. */
function bestOfFive(regex: RegExp, text: string): number {
  const runs = [1, 2, 3, 4, 5].map(() => {
    const start = performance.now();
    regex.test(text);
    return performance.now() - start;
  });
  return Math.min(...runs);
}

let measuredMs: number | null = null;

/** Time of eight million steps, so that a slow machine judges like a quick one. */
function referenceMs(): number {
  measuredMs ??= bestOfFive(/x.*y/s, 'x'.repeat(REFERENCE_CHARS));
  return measuredMs;
}

/** Every expression of a pattern, with the longest text that it meets. */
export function expressionsOf(pattern: Pattern): Expression[] {
  const flags = pattern.ignoreCase ? 'si' : 's';
  const unit = pattern.unit === null ? [] : [{ regex: pattern.unit, flags: '', maxChars: UNIT_MAX_CHARS }];
  return [...[pattern.regex, ...pattern.not].map((regex) => ({ regex, flags, maxChars: MESSAGE_MAX_CHARS })), ...unit];
}
