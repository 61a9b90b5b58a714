// recheck's answers by expression. A proof may take seconds and depends on the expression alone, so the answers for the
// pack stand in recheck-answers.ndjson; others are found when they are asked for, and kept in the cache folder.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { CACHE, lockedPackage } from '../../build/project.ts';

/** A text that drives the matcher into its worst: each pump is repeated as often as the length allows. */
export interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[];
  readonly suffix: string;
}

export interface Answer {
  /** Names the expression: a hash of it, its flags and recheck's version. */
  readonly key: string;
  readonly complexity: string;
  /** 1 for linear and less. */
  readonly degree: number;
  /** False where recheck only tried attacks. */
  readonly proven: boolean;
  /** Null where it is linear. */
  readonly attack: Attack | null;
}

export const ANSWERS_FILE = join(import.meta.dirname, 'recheck-answers.ndjson');
export const RECHECK_LIMIT_MS = 60_000;
const FOLDER = join(CACHE, 'recheck');
const VERSION = lockedPackage('recheck').version;

let kept: ReadonlyMap<string, Answer> | null = null;

function keptAnswers(): ReadonlyMap<string, Answer> {
  const lines = (): string[] => (existsSync(ANSWERS_FILE) ? readFileSync(ANSWERS_FILE, 'utf8').split('\n') : []);
  kept ??= new Map(
    lines()
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Answer)
      .map((answer) => [answer.key, answer]),
  );
  return kept;
}

function keyOf(regex: string, flags: string): string {
  return createHash('sha256').update(`${VERSION} ${flags}/${regex}`).digest('hex').slice(0, 32);
}

/** Null if recheck finds no answer in time. */
export async function recheckAnswer(regex: string, flags: string): Promise<Answer | null> {
  const key = keyOf(regex, flags);
  const known = keptAnswers().get(key);
  if (known !== undefined) return known;
  const file = join(FOLDER, `${key}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Answer;
  const answer = await ask(regex, flags, key);
  if (answer === null) return null;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(answer));
  renameSync(`${file}.${process.pid}`, file);
  return answer;
}

async function ask(regex: string, flags: string, key: string): Promise<Answer | null> {
  const found = await check(regex, flags, { timeout: RECHECK_LIMIT_MS });
  if (found.status === 'unknown') return null;
  const { complexity } = found;
  return {
    key,
    complexity: complexity.summary,
    degree: complexity.type === 'polynomial' ? complexity.degree : complexity.type === 'exponential' ? Number.MAX_SAFE_INTEGER : 1,
    proven: !complexity.isFuzz,
    attack: found.status === 'vulnerable' ? attackOf(found.attack) : null,
  };
}

function attackOf({ pumps, suffix }: Attack): Attack {
  return { pumps: pumps.map(({ prefix, pump }) => ({ prefix, pump })), suffix };
}
