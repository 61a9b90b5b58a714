// What was said in a boot as it stands in a file. The files are ours, yet nothing is taken from them that does not look as this
// tool writes it.
import type { SaidInBoot, Status, Tally } from '../../types.ts';

const BOOT_ID = /^[0-9a-f]{32}$/;
const NUMBER_MAX = 1_000_000;
const NAMES_MAX = 100;
const STATUSES: readonly unknown[] = [
  'ready',
  'bootstrapping',
  'stalled',
  'failed',
  'unknown',
] satisfies readonly Status[];

/** Null if it is none. */
export function saidIn(value: unknown): SaidInBoot | null {
  const { bootId, step, sequence, lastWord, answer, tally, logs } = record(value);
  if (typeof bootId !== 'string' || !BOOT_ID.test(bootId) || !isNumber(step) || !isNumber(sequence)) return null;
  if (lastWord !== null && !STATUSES.includes(lastWord)) return null;
  const said = answer === null ? null : answerIn(answer);
  const counted = tallyIn(tally);
  if (said === undefined || counted === null) return null;
  return {
    bootId,
    step,
    sequence,
    lastWord: lastWord as Status | null,
    answer: said,
    tally: counted,
    logs: logs === true,
  };
}

function answerIn(value: unknown): SaidInBoot['answer'] | undefined {
  const { atMs, text, causes } = record(value);
  return typeof atMs === 'number' && typeof text === 'string' && isNames(causes) ? { atMs, text, causes } : undefined;
}

function tallyIn(value: unknown): Tally | null {
  const { started, seen, ended, recovered } = record(value);
  return typeof started === 'boolean' && typeof ended === 'boolean' && typeof recovered === 'boolean' && isNames(seen)
    ? { started, seen, ended, recovered }
    : null;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= NUMBER_MAX;
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= NAMES_MAX && value.every((name) => typeof name === 'string');
}

/** The one that holds all. */
export function latest(all: readonly (SaidInBoot | null)[]): SaidInBoot | null {
  return all.reduce((a, b) => (a === null || (b !== null && b.step > a.step) ? b : a), null);
}
