// Decides when a live run speaks: what was said last, what is known now, and the time since boot go in; hold, say or end
// comes out.
import type { Verdict } from '../types.ts';

/** What a verdict answers; a run speaks again when it changes. */
export interface Opinion {
  readonly verdict: Pick<Verdict, 'status' | 'cause'>;
  /** True for a decisive cause that has lasted as long as its file demands. */
  readonly isUrgent: boolean;
  /** True for a cause that is said on fresh answers only. */
  readonly needsAnswers: boolean;
  /** False where a single record says that the node is Ready and the API server does not: more may come. */
  readonly isReadyForSure: boolean;
}

/** What was said so far. Times are ms since boot. */
export interface Said {
  readonly atMs: number;
  readonly answer: string;
  /** Ids of all causes that were ever named. */
  readonly causes: ReadonlySet<string>;
}

export type Decision =
  | { readonly act: 'hold'; /** When time alone may change this decision. */ readonly untilMs: number }
  | { readonly act: 'say'; readonly why: 'urgent' | 'shown' | 'interim' | 'changed' }
  | { readonly act: 'end'; readonly why: 'ready' | 'deadline' };

export const INTERIM_MS = 180_000;
/** Changed answers come no closer together. */
export const SPACING_MS = 30_000;

export function whenToReport(
  { verdict, isUrgent, needsAnswers, isReadyForSure }: Opinion,
  said: Said | null,
  nowMs: number,
  deadlineMs: number,
): Decision {
  if (verdict.status === 'ready' && isReadyForSure) return { act: 'end', why: 'ready' };
  if (nowMs >= deadlineMs) return { act: 'end', why: 'deadline' };
  const isNew = verdict.cause !== null && said?.causes.has(verdict.cause.id) !== true;
  if (isUrgent && isNew) return { act: 'say', why: needsAnswers ? 'shown' : 'urgent' };
  const interimAtMs =
    said === null ? INTERIM_MS : said.atMs < INTERIM_MS ? Math.max(INTERIM_MS, said.atMs + SPACING_MS) : null;
  const changeAtMs = said === null || said.answer === answerOf(verdict) ? null : said.atMs + SPACING_MS;
  if (changeAtMs !== null && nowMs >= changeAtMs) return { act: 'say', why: 'changed' };
  if (interimAtMs !== null && nowMs >= interimAtMs) return { act: 'say', why: 'interim' };
  return { act: 'hold', untilMs: Math.min(deadlineMs, interimAtMs ?? Infinity, changeAtMs ?? Infinity) };
}

export function say(said: Said | null, { status, cause }: Pick<Verdict, 'status' | 'cause'>, atMs: number): Said {
  return {
    atMs,
    answer: answerOf({ status, cause }),
    causes: new Set([...(said?.causes ?? []), ...(cause === null ? [] : [cause.id])]),
  };
}

function answerOf({ status, cause }: Pick<Verdict, 'status' | 'cause'>): string {
  return cause === null ? status : `${status} ${cause.id} ${cause.confidence}`;
}
