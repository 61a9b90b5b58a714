// Measures what a hostile line can make an expression cost: the one judge of speed, for the built-in pack in its tests and
// for operators' files in `patterns check`. A run does without it: there the guard ends what takes too long.
import { runGuarded } from '../host/processes/run-guarded.ts';
import { type Attack, attacksOn } from './attacks.ts';
import { parseRegex } from './regex-syntax.ts';

/** A message is cut here before any expression sees it. */
export const MESSAGE_MAX_CHARS = 16 * 1024;
/** A fact of a probe is compared by its first 1,000 characters. */
export const FACT_MAX_CHARS = 1_000;
export const LIMIT_MS = 5;
/** For a batch of attacks; an expression that needs more hangs. */
const BATCH_LIMIT_MS = 2_000;
/** So often a batch may be cut off because others had the cores. */
const STARVED_MAX = 5;
const BATCH = 8;
/** All attacks are tried at this length first, and the worst at full length: what is slow there is slow here among the rest. */
const TRIAL_CHARS = 4 * 1024;
const SUSPECTS = 8;
const RUNS = 3;
/** The error is one step in so many: about 4 %. */
const OWN_TIME_MS = 100;
/** No further run makes this quick. */
const HOPELESS_MS = 100;

export interface Expression {
  readonly regex: string;
  readonly flags: string;
  /** Longest text that it is run on. */
  readonly maxChars: number;
  /** Texts that it is made for, with whose beginnings a hostile writer would begin. */
  readonly examples: readonly string[];
}

export interface Slowness {
  /** Of the worst attack, best of some runs, or the CPU time where that is less; Infinity if it had to be cut off. */
  readonly ms: number;
  readonly attack: string;
}

export function slownessOf({ regex, flags, maxChars, examples }: Expression): Slowness {
  const compiled = new RegExp(regex, flags);
  return worstOf((text) => void compiled.test(text), attacksOn(regex, parseRegex(regex), examples), maxChars);
}

/** Time of `run` on the worst of the attacks. */
export function worstOf(run: (text: string) => void, attacks: readonly Attack[], chars: number): Slowness {
  const tried = timesOf(run, attacks, { chars: Math.min(chars, TRIAL_CHARS), runs: 1, atOnce: BATCH });
  const suspects = tried.toSorted(bySlowness).slice(0, SUSPECTS);
  const cutOff = suspects.find(({ ms }) => ms === Infinity);
  const measured =
    cutOff === undefined
      ? timesOf(
          run,
          suspects.map(({ attack }) => attack),
          { chars, runs: RUNS, atOnce: 1 },
        )
      : [cutOff];
  const { ms, attack } = measured.toSorted(bySlowness)[0]!;
  return { ms, attack: attack(chars) };
}

interface Timed {
  readonly attack: Attack;
  readonly ms: number;
}

function bySlowness(a: Timed, b: Timed): number {
  return b.ms === a.ms ? 0 : b.ms - a.ms;
}

/** Best of so many runs for each attack; the first one that had to be cut off is the last. */
function timesOf(
  run: (text: string) => void,
  attacks: readonly Attack[],
  { chars, runs, atOnce }: { readonly chars: number; readonly runs: number; readonly atOnce: number },
): Timed[] {
  const timed: Timed[] = [];
  for (let starved = 0; timed.length < attacks.length;) {
    const before = process.threadCpuUsage();
    const ended = runGuarded(() => {
      for (const attack of attacks.slice(timed.length, timed.length + atOnce)) {
        const text = attack(chars);
        let ms = timeOf(run, text);
        for (let more = 1; more < runs && ms < HOPELESS_MS; more++) ms = Math.min(ms, timeOf(run, text));
        if (runs > 1 && ms > limitFor(chars)) ms = Math.min(ms, ownTimeOf(run, text));
        timed.push({ attack, ms });
      }
    }, BATCH_LIMIT_MS);
    if (ended || (ownMsSince(before) < BATCH_LIMIT_MS / 4 && ++starved < STARVED_MAX)) continue;
    return [...timed, { attack: attacks[timed.length]!, ms: Infinity }];
  }
  return timed;
}

function timeOf(run: (text: string) => void, text: string): number {
  const startMs = performance.now();
  run(text);
  return performance.now() - startMs;
}

/**
 * CPU time of this thread alone, on average: what other processes take of the cores is no fault of the expression. The kernel counts
 * it in steps of some ms, so it is asked only for what seems slow, and over many steps.
 */
function ownTimeOf(run: (text: string) => void, text: string): number {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    run(text);
    const ms = ownMsSince(before);
    if (ms >= OWN_TIME_MS) return ms / runs;
  }
}

function ownMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** One sentence for the author, or null if the expression keeps within the limit. */
export function slownessFault(expression: Expression, limitMs: number = limitFor(expression.maxChars)): string | null {
  const { ms, attack } = slownessOf(expression);
  if (ms <= limitMs) return null;
  const took = ms === Infinity ? `more than ${BATCH_LIMIT_MS / 1000} s` : `${ms.toFixed(0)} ms`;
  return `a hostile line of ${expression.maxChars} characters, such as ${JSON.stringify(attack.slice(0, 60))} and so on, keeps it busy for ${took}; begin with ^ (or ^.{0,1000}?, where other text may stand before) or with more fixed text, say which characters can stand there ([^"\\s] instead of .), or bound it ({0,200} instead of *)`;
}

export function limitFor(chars: number): number {
  return LIMIT_MS * Math.max(1, chars / MESSAGE_MAX_CHARS);
}
