// Judges whether a hostile line can stall an expression: recheck says whether matching is linear; what it calls a second
// degree polynomial must stay quick on recheck's own attack, grown to the longest text that the expression ever meets.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { CACHE } from '../../build/project.ts';

/** A message is cut here before any expression sees it. */
export const MESSAGE_MAX_CHARS = 16 * 1024;
const BOUNDED_MS = 20;
const RECHECK_LIMIT_MS = 20_000;
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

/** What is kept of recheck's answer; it depends on the expression alone, so it is kept on disk. */
interface Answer {
  readonly status: 'safe' | 'vulnerable' | 'unknown';
  readonly complexity: string;
  readonly degree: number;
  readonly attack: { readonly pumps: readonly { readonly prefix: string; readonly pump: string }[]; readonly suffix: string } | null;
}

export async function checkSpeed(expression: Expression): Promise<SpeedVerdict> {
  const answer = await recheckOnce(expression);
  const { regex, flags, maxChars } = expression;
  if (answer.status === 'safe') return { kind: 'linear', what: answer.complexity };
  if (answer.status === 'unknown') return { kind: 'slow', what: `recheck found no answer within ${RECHECK_LIMIT_MS / 1000} s` };
  if (answer.degree !== 2) return { kind: 'slow', what: `recheck says ${answer.complexity}` };
  const ms = bestOfThree(new RegExp(regex, flags), attackOf(answer, maxChars));
  const what = `${answer.complexity}, ${ms.toFixed(1)} ms on the worst ${maxChars} characters`;
  return { kind: ms < BOUNDED_MS ? 'bounded' : 'slow', what };
}

async function recheckOnce({ regex, flags }: Expression): Promise<Answer> {
  const file = join(FOLDER, `${createHash('sha256').update(`${flags}/${regex}`).digest('hex').slice(0, 32)}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Answer;
  const { status, complexity, attack } = await check(regex, flags, { timeout: RECHECK_LIMIT_MS });
  const answer: Answer = {
    status,
    complexity: complexity?.summary ?? 'unknown',
    degree: complexity?.type === 'polynomial' ? complexity.degree : 0,
    attack: attack ?? null,
  };
  if (status === 'unknown') return answer;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(answer));
  renameSync(`${file}.${process.pid}`, file);
  return answer;
}

/** recheck's attack with its pumps repeated until the text has `chars` characters. */
function attackOf({ attack }: Answer, chars: number): string {
  const { pumps, suffix } = attack!;
  const fixed = suffix.length + pumps.reduce((sum, { prefix }) => sum + prefix.length, 0);
  const once = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.max(1, Math.floor((chars - fixed) / once));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
}

/** The first run also compiles the expression, and other work may disturb any of them. */
function bestOfThree(regex: RegExp, text: string): number {
  const runs = [1, 2, 3].map(() => {
    const start = performance.now();
    regex.test(text);
    return performance.now() - start;
  });
  return Math.min(...runs);
}
