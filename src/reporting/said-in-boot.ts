// What was said in a boot, from one event to the next: which number a verdict has, what it counts, and what the next run must know.
import type { Counts, SaidInBoot, Verdict } from '../types.ts';
import { say } from './when-to-report.ts';
import { countVerdict, NOTHING_COUNTED } from './what-counts.ts';

export const NOTHING_SAID: Omit<SaidInBoot, 'bootId'> = {
  step: 0,
  sequence: 0,
  lastWord: null,
  answer: null,
  tally: NOTHING_COUNTED,
  logs: false,
};

export interface Speaker {
  /** The run follows the boot; what one that only looks at it says keeps none of the other's words back. */
  readonly follows: boolean;
  /** The instance was Ready in an earlier boot: this one is no bootstrap, and nothing of it counts. */
  readonly isReboot: boolean;
}

/** `verdict` under the number `before.sequence`; `counts` null: nothing of it counts. */
export function countIn(
  before: SaidInBoot,
  verdict: Pick<Verdict, 'status' | 'final' | 'cause' | 'uptimeSeconds'>,
  { follows, isReboot }: Speaker,
): { readonly counts: Counts | null; readonly said: SaidInBoot } {
  const { counts, tally } = countVerdict(verdict, before.tally, follows);
  return {
    counts: isReboot ? null : counts,
    said: {
      ...before,
      step: before.step + 1,
      sequence: before.sequence + 1,
      lastWord: verdict.final ? verdict.status : before.lastWord,
      answer: follows ? answerTo(before.answer, verdict) : before.answer,
      tally: isReboot ? before.tally : tally,
    },
  };
}

/** That the boot began is said by an event of its own. */
export function beginIn(before: SaidInBoot): SaidInBoot {
  return { ...before, step: before.step + 1, tally: { ...before.tally, started: true } };
}

function answerTo(
  before: SaidInBoot['answer'],
  verdict: Pick<Verdict, 'status' | 'cause' | 'uptimeSeconds'>,
): SaidInBoot['answer'] {
  const earlier = before === null ? null : { atMs: 0, answer: '', causes: new Set(before.causes) };
  const { atMs, answer, causes } = say(earlier, verdict, (verdict.uptimeSeconds ?? 0) * 1_000);
  return { atMs, text: answer, causes: [...causes].slice(-CAUSES_MAX) };
}

/** More than a boot has; a kubelet with a new fault all the time must not fill the record. */
const CAUSES_MAX = 100;
