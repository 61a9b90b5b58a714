// The loop of a live run: judge what is known, decide whether to report, ask the node where needed, report, until the last word.
import type { Clock } from '../../host/host.ts';
import { type Asked, mayAct, shouldProbe } from '../../reporting/when-to-probe.ts';
import { type Opinion, type Said, say, whenToReport } from '../../reporting/when-to-report.ts';
import type { Extent } from '../../types.ts';
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
  /** What an earlier run of this boot said. */
  readonly said: Said | null;
  /** By the times alone to decide whether to speak, as a whole to do it. */
  readonly judge: (extent: Extent) => J;
  /** Asks the node; resolves when the next `judge` knows the answers. Never rejects. */
  readonly ask: (purpose: 'ready' | 'all') => Promise<void>;
  /** True: that was the last word, whatever it was meant to be. */
  readonly report: (judgement: J, isFinal: boolean) => Promise<boolean>;
  /** Before the last word: resolves soon, when the next `judge` knows all that was written by now. Never rejects. */
  readonly makeSure: () => Promise<void>;
  /** Asked when the run is stopped: does the machine go down too? Never rejects. */
  readonly isMachineEnding: () => Promise<boolean>;
}

/** Stalls come by time alone; where judging is dear, it takes one part in two thousand of a quiet node's time. */
const TICK_MS = 5_000;
const TICK_MAX_MS = 10_000;
const TICK_SHARE = 2_000;
/** Between two judgements, however fast the matches come. */
const JUDGE_GAP_MS = 100;
const JUDGE_GAP_MAX_MS = 250;
/** Judging takes at most one part in so many of the time: a boot has other things to do. */
const JUDGE_SHARE = 20;

/** Returns after the final verdict, at Ready or at the deadline; and when it is stopped, which is final only if the machine ends. */
export async function reportUntilOver<J extends Judgement>(parts: LoopParts<J>): Promise<void> {
  const { clock, alarm, deadlineMs, signal, judge, ask, report, makeSure } = parts;
  let { said } = parts;
  let asked: Asked | null = null;
  let readySinceMs: number | null = null;
  let isSure = false;
  while (!signal.aborted) {
    const nowMs = clock.monotonicMs();
    const judgement = judge('times');
    const costMs = clock.monotonicMs() - nowMs;
    readySinceMs = judgement.isReadyByLogs || judgement.verdict.status === 'ready' ? (readySinceMs ?? nowMs) : null;
    const decision = whenToReport(judgement, said, nowMs, deadlineMs);
    if (mayAct(decision, asked, readySinceMs, nowMs)) {
      if (decision.act === 'end' && !isSure) {
        await makeSure();
        isSure = true;
        continue;
      }
      const isOver = await report(judge('whole'), decision.act === 'end');
      if (isOver || decision.act === 'end') return;
      said = say(said, judgement.verdict, nowMs);
    }
    isSure = false;
    if (shouldProbe(decision, asked, said, readySinceMs, nowMs, deadlineMs)) {
      asked = { startedMs: nowMs, finishedMs: null };
      void ask(readySinceMs === null ? 'all' : 'ready').then(() => {
        asked = { startedMs: nowMs, finishedMs: clock.monotonicMs() };
        alarm.ring();
      });
    }
    const untilMs = decision.act === 'hold' ? decision.untilMs : Infinity;
    const gapMs = Math.min(JUDGE_GAP_MAX_MS, Math.max(JUDGE_GAP_MS, costMs * JUDGE_SHARE));
    const tickMs = Math.min(TICK_MAX_MS, Math.max(TICK_MS, costMs * TICK_SHARE));
    await alarm.next(Math.max(gapMs, Math.min(tickMs, untilMs - nowMs, deadlineMs - nowMs)), gapMs);
  }
  const isFinal = await parts.isMachineEnding();
  await makeSure();
  const judgement = judge('whole');
  await report(judgement, isFinal || judgement.verdict.status === 'ready' || clock.monotonicMs() >= deadlineMs);
}
