// The level words of the log formats.
import type { Level } from '../types.ts';

const WORDS: Readonly<Record<string, Level>> = {
  trace: 'debug',
  debug: 'debug',
  d: 'debug',
  info: 'info',
  i: 'info',
  notice: 'info',
  information: 'info',
  warn: 'warn',
  warning: 'warn',
  w: 'warn',
  error: 'error',
  err: 'error',
  e: 'error',
  fatal: 'fatal',
  panic: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  f: 'fatal',
  dpanic: 'fatal',
};
const PRIORITIES: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

export function levelOfWord(word: string): Level | null {
  return WORDS[word.toLowerCase()] ?? null;
}

/** syslog priority 0 to 7. */
export function levelOfPriority(priority: number): Level | null {
  return PRIORITIES[priority] ?? null;
}
