// Decides when a live run speaks: what was said last, what is known now, and the time since boot go in; hold, say or end
// comes out.
import type { Verdict } from '../types.ts';

/** What a verdict answers; a run speaks again when it changes. */
export interface Opinion {
  readonly verdict: Pick<Verdict, 'status' | 'cause'>;
  /** True for a decisive cause that has lasted as long as its file demands. */
  readonly isUrgent: boolean;
  /** How long the cause has come again and again without progress, in ms. */
  readonly repeatsMs: number;
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
  | { readonly act: 'say'; readonly why: 'urgent' | 'shown' | 'repeats' | 'interim' | 'changed' }
  | { readonly act: 'end'; readonly why: 'ready' | 'deadline' };

export const INTERIM_MS = 180_000;
/** An error that repeats for so long without progress is said, though it may pass. */
export const REPEATS_MS = 60_000;
/** Changed answers come no closer together. */
export const SPACING_MS = 30_000;

export function whenToReport(
  { verdict, isUrgent, repeatsMs, needsAnswers, isReadyForSure }: Opinion,
  said: Said | null,
  nowMs: number,
  deadlineMs: number,
): Decision {
  if (verdict.status === 'ready' && isReadyForSure) return { act: 'end', why: 'ready' };
  if (nowMs >= deadlineMs) return { act: 'end', why: 'deadline' };
  const isNew = verdict.cause !== null && said?.causes.has(verdict.cause.id) !== true;
  if (isUrgent && isNew) return { act: 'say', why: needsAnswers ? 'shown' : 'urgent' };
  const repeatsAtMs = isNew && repeatsMs > 0 ? nowMs + REPEATS_MS - repeatsMs : null;
  if (repeatsAtMs !== null && nowMs >= repeatsAtMs) return { act: 'say', why: 'repeats' };
  const interimAtMs =
    said === null ? INTERIM_MS : said.atMs < INTERIM_MS ? Math.max(INTERIM_MS, said.atMs + SPACING_MS) : null;
  const changeAtMs = said === null || said.answer === answerOf(verdict) ? null : said.atMs + SPACING_MS;
  if (changeAtMs !== null && nowMs >= changeAtMs) return { act: 'say', why: 'changed' };
  if (interimAtMs !== null && nowMs >= interimAtMs) return { act: 'say', why: 'interim' };
  const nextMs = [interimAtMs, changeAtMs, repeatsAtMs].filter((atMs) => atMs !== null);
  return { act: 'hold', untilMs: Math.min(deadlineMs, ...nextMs) };
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
