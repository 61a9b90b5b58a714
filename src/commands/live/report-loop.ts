// The loop of a live run: judge what is known, decide whether to report, ask the node where needed, report, until the last word.
import type { Clock } from '../../host/host.ts';
import { type Asked, mayAct, shouldProbe } from '../../reporting/when-to-probe.ts';
import { type Opinion, type Said, say, whenToReport } from '../../reporting/when-to-report.ts';
import type { Alarm } from './alarm.ts';

export interface Judgement extends Opinion {
  /** What the logs alone say; the API server may know better. */
  readonly isReadyByLogs: boolean;
}

export interface LoopParts<J extends Judgement> {
  readonly clock: Clock;
  readonly alarm: Alarm;
  /** Ms since boot. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly judge: () => J;
  /** Looks at all that has come, however young; before the last word of a run that is stopped. */
  readonly settle: () => void;
  /** Asks the node; resolves when the next `judge` knows the answers. Never rejects. */
  readonly ask: (purpose: 'ready' | 'all') => Promise<void>;
  readonly report: (judgement: J, isFinal: boolean) => Promise<void>;
  /** Asked when the run is stopped: does the machine go down too? Never rejects. */
  readonly isMachineEnding: () => Promise<boolean>;
}

/** Stalls come by time alone. */
const TICK_MS = 5_000;
/** Between two judgements, however fast the matches come. */
const JUDGE_GAP_MS = 100;

/** Returns after the final verdict, at Ready or at the deadline; and when it is stopped, which is final only if the machine ends. */
export async function reportUntilOver<J extends Judgement>(parts: LoopParts<J>): Promise<void> {
  const { clock, alarm, deadlineMs, signal, judge, ask, report } = parts;
  let said: Said | null = null;
  let asked: Asked | null = null;
  let readySinceMs: number | null = null;
  while (!signal.aborted) {
    const nowMs = clock.monotonicMs();
    const judgement = judge();
    readySinceMs = judgement.isReadyByLogs || judgement.verdict.status === 'ready' ? (readySinceMs ?? nowMs) : null;
    const decision = whenToReport(judgement, said, nowMs, deadlineMs);
    if (mayAct(decision, asked, readySinceMs, nowMs)) {
      await report(judgement, decision.act === 'end');
      if (decision.act === 'end') return;
      said = say(said, judgement.verdict, nowMs);
    }
    if (shouldProbe(decision, asked, said, readySinceMs, nowMs, deadlineMs)) {
      asked = { startedMs: nowMs, finishedMs: null };
      void ask(readySinceMs === null ? 'all' : 'ready').then(() => {
        asked = { startedMs: nowMs, finishedMs: clock.monotonicMs() };
        alarm.ring();
      });
    }
    const untilMs = decision.act === 'hold' ? decision.untilMs : Infinity;
    await alarm.next(Math.max(JUDGE_GAP_MS, Math.min(TICK_MS, untilMs - nowMs, deadlineMs - nowMs)), JUDGE_GAP_MS);
  }
  const isFinal = await parts.isMachineEnding();
  parts.settle();
  const judgement = judge();
  await report(judgement, isFinal || judgement.verdict.status === 'ready' || clock.monotonicMs() >= deadlineMs);
}
