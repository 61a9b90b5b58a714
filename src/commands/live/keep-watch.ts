// The loop of a live run: judge what is known, let pacing decide, ask the node where needed, speak, until the last word.
import type { Clock } from '../../host/host.ts';
import { type Asked, mayAct, shouldAsk } from '../../reporting/inquire.ts';
import { type Opinion, pace, type Said, say } from '../../reporting/pace.ts';
import type { Wake } from './wake.ts';

export interface Judgement extends Opinion {
  /** What the logs alone say; the API server may know better. */
  readonly isReadyByLogs: boolean;
}

export interface WatchParts<J extends Judgement> {
  readonly clock: Clock;
  readonly wake: Wake;
  /** Ms since boot. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly judge: () => J;
  /** Asks the node; resolves when the next `judge` knows the answers. Never rejects. */
  readonly ask: (purpose: 'ready' | 'all') => Promise<void>;
  readonly speak: (judgement: J, isFinal: boolean) => Promise<void>;
  /** Before the last word: resolves soon, when the next `judge` knows all that was written by now. Never rejects. */
  readonly makeSure: () => Promise<void>;
}

/** Stalls come by time alone; where judging is dear, it takes one part in a thousand of a quiet node's time. */
const TICK_MS = 5_000;
const TICK_MAX_MS = 10_000;
const TICK_SHARE = 1_000;
/** Between two judgements, however fast the matches come. */
const JUDGE_GAP_MS = 100;
const JUDGE_GAP_MAX_MS = 250;
/** Judging takes at most one part in so many of the time: a boot has other things to do. */
const JUDGE_SHARE = 20;

/** Returns after the final verdict: at Ready, at the deadline, or when it is stopped. */
export async function keepWatch<J extends Judgement>({ clock, wake, deadlineMs, signal, judge, ask, speak, makeSure }: WatchParts<J>): Promise<void> {
  let said: Said | null = null;
  let asked: Asked | null = null;
  let readySinceMs: number | null = null;
  let isSure = false;
  for (;;) {
    const nowMs = clock.monotonicMs();
    const judgement = judge();
    const costMs = clock.monotonicMs() - nowMs;
    const gapMs = Math.min(JUDGE_GAP_MAX_MS, Math.max(JUDGE_GAP_MS, costMs * JUDGE_SHARE));
    const tickMs = Math.min(TICK_MAX_MS, Math.max(TICK_MS, costMs * TICK_SHARE));
    readySinceMs = judgement.isReadyByLogs || judgement.verdict.status === 'ready' ? (readySinceMs ?? nowMs) : null;
    const decision = pace(judgement, said, nowMs, deadlineMs);
    const maySpeak = mayAct(decision, asked, readySinceMs, nowMs);
    const isOver = signal.aborted || (decision.act === 'end' && maySpeak);
    if (isOver && !isSure) {
      await makeSure();
      isSure = true;
      continue;
    }
    isSure = false;
    if (isOver || maySpeak) {
      await speak(judgement, isOver);
      if (isOver) return;
      said = say(said, judgement.verdict, nowMs);
    }
    if (shouldAsk(decision, asked, said, readySinceMs, nowMs, deadlineMs)) {
      asked = { startedMs: nowMs, finishedMs: null };
      void ask(readySinceMs === null ? 'all' : 'ready').then(() => {
        asked = { startedMs: nowMs, finishedMs: clock.monotonicMs() };
        wake.ring();
      });
    }
    const untilMs = decision.act === 'hold' ? decision.untilMs : Infinity;
    await wake.next(Math.max(gapMs, Math.min(tickMs, untilMs - nowMs, deadlineMs - nowMs)), gapMs);
  }
}
