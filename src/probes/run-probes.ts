// Asks probes side by side, those for facts before the others, and answers in time whatever they do. Chooses none and judges
// no answer.
import { HostError } from '../host/host.ts';
import type { NotChecked, ProbeOutcome, ProbeResult } from '../types.ts';
import type { Known, Probe, ProbeAnswer, ProbeContext, ProbeFacts } from './probe.ts';
import { readingOnce } from './reading-once.ts';

/** What a probe is asked with; the runner adds a signal for each. */
export type ProbeParts = Omit<ProbeContext, 'signal'>;

export interface ProbeLimits {
  /** Stops everything. */
  readonly signal: AbortSignal;
  /** For each probe that has no limit of its own; default 3,000. */
  readonly limitMs?: number;
  /** For all together; default 8,000. */
  readonly totalMs?: number;
}

export interface ProbeRun {
  /** In the order in which the probes were given; one that finds several things in trouble has several. */
  readonly results: readonly ProbeResult[];
  /** What was known before, and on top what the probes of the first stage found out; of two that answer, the first in order counts. */
  readonly known: Known;
  /** Probes that ended by a fault of ours. */
  readonly notChecked: readonly NotChecked[];
}

/** Codes that every probe may end with besides those of its own table; `render` has their sentences. */
export const COMMON_OUTCOMES = {
  'time-limit': 'timeout',
  'mount-stuck': 'timeout',
  unreadable: 'skipped',
  broken: 'skipped',
} as const satisfies Record<string, ProbeOutcome>;

const LIMIT_MS = 3_000;
const TOTAL_MS = 8_000;
const STAGES = ['facts', 'questions'] as const;

/** A probe that ignores its signal is left behind. @throws the signal's reason if it is aborted */
export async function runProbes(
  probes: readonly Probe[],
  parts: ProbeParts,
  { signal, limitMs = LIMIT_MS, totalMs = TOTAL_MS }: ProbeLimits,
): Promise<ProbeRun> {
  const endMs = performance.now() + totalMs;
  const answered = new Map<Probe, Asked>();
  const system = readingOnce(parts.system);
  let known = parts.known;
  for (const stage of STAGES) {
    const ofStage = probes.filter((probe) => probe.stage === stage);
    const leftMs = Math.max(0, endMs - performance.now());
    const asked = await Promise.all(
      ofStage.map((probe) =>
        ask(probe, { ...parts, system, known }, signal, Math.min(probe.limitMs ?? limitMs, leftMs)),
      ),
    );
    signal.throwIfAborted();
    for (const [at, probe] of ofStage.entries()) answered.set(probe, asked[at]!);
    if (stage === 'facts')
      known = new Map([...known, ...asked.toReversed().flatMap(({ results }) => results.flatMap(factsOf))]);
  }
  const inOrder = probes.flatMap((probe) => answered.get(probe) ?? []);
  return {
    results: inOrder.flatMap(({ results }) => results),
    known,
    notChecked: inOrder.flatMap(({ notChecked }) => notChecked),
  };
}

interface Asked {
  readonly results: readonly ProbeResult[];
  readonly notChecked: readonly NotChecked[];
}

async function ask(probe: Probe, context: ProbeParts, outer: AbortSignal, limitMs: number): Promise<Asked> {
  const startMs = performance.now();
  const own = new AbortController();
  const late = Promise.withResolvers<'late'>();
  const stop = (): void => {
    late.resolve('late');
    own.abort(new DOMException('The probe has used up its time.', 'TimeoutError'));
  };
  const timer = setTimeout(stop, limitMs);
  outer.addEventListener('abort', stop, { once: true });
  const result = (outcome: ProbeResult['outcome'], code: string, facts: ProbeFacts): ProbeResult => {
    return { probe: probe.name, outcome, code, facts, elapsedMs: Math.round(performance.now() - startMs) };
  };
  const common = (code: keyof typeof COMMON_OUTCOMES, facts: ProbeFacts = {}): Asked => {
    return { results: [result(COMMON_OUTCOMES[code], code, facts)], notChecked: [] };
  };
  try {
    const answers = probe.ask({ ...context, signal: own.signal });
    answers.catch(() => undefined);
    const given = await Promise.race([answers, late.promise]);
    if (given === 'late') return common('time-limit');
    return {
      results: listed(given).map(({ code, facts }) => result(outcomeOf(probe, code), code, facts)),
      notChecked: [],
    };
  } catch (error) {
    if (own.signal.aborted) return common('time-limit');
    // What the machine refuses is its own fault: no right to read, a mount whose daemon has died.
    if (error instanceof HostError)
      return common(error.code === 'mount-stuck' ? 'mount-stuck' : 'unreadable', { path: error.detail });
    return { ...common('broken'), notChecked: [{ what: probe.name, code: 'probe-broken', detail: messageOf(error) }] };
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', stop);
  }
}

function listed(given: ProbeAnswer | readonly ProbeAnswer[]): readonly ProbeAnswer[] {
  const answers = Array.isArray(given) ? (given as readonly ProbeAnswer[]) : [given as ProbeAnswer];
  if (answers.length === 0) throw new Error('it gave no answer');
  return answers;
}

function outcomeOf(probe: Probe, code: string): ProbeResult['outcome'] {
  const rule = Object.hasOwn(probe.answers, code) ? probe.answers[code] : undefined;
  if (rule === undefined) throw new Error(`its answer ${code} is not in its table`);
  return rule.outcome;
}

function factsOf({ facts }: ProbeResult): [string, string][] {
  return Object.entries(facts).map(([name, value]) => [name, String(value)]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
