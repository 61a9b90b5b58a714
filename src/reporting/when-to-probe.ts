// Decides when a live run asks the node its questions: before it speaks, and now and then while a boot takes too long.
import { type Decision, INTERIM_MS, type Said } from './when-to-report.ts';

/** When the node was asked last. Times are ms since boot. */
export interface Asked {
  readonly startedMs: number;
  /** Null while the answers are on their way. */
  readonly finishedMs: number | null;
}

/** Before the deadline there must be time for every question. */
const LEAD_MS = 9_000;
const FRESH_MS = 30_000;
const PERIOD_MS = 60_000;
/** A node that its log calls Ready and the API server does not yet. */
const READY_PERIOD_MS = 5_000;

/** Are the answers young enough to speak on them? An urgent cause waits for none unless it needs them, the last word for a short time only. */
export function mayAct(decision: Decision, asked: Asked | null, readySinceMs: number | null, nowMs: number): boolean {
  if (decision.act === 'hold') return false;
  if (decision.why === 'urgent') return true;
  if (asked === null) return false;
  const isLate = nowMs - asked.startedMs >= LEAD_MS;
  if (decision.why === 'deadline' && isLate) return true;
  if (asked.finishedMs === null) return decision.why === 'ready' && isLate;
  return decision.why === 'ready' ? asked.startedMs >= readySinceMs! : nowMs - asked.finishedMs < FRESH_MS;
}

export function shouldProbe(
  decision: Decision,
  asked: Asked | null,
  said: Said | null,
  readySinceMs: number | null,
  nowMs: number,
  deadlineMs: number,
): boolean {
  if (asked !== null && asked.finishedMs === null) return false;
  const agoMs = nowMs - (asked?.startedMs ?? -Infinity);
  if (decision.act !== 'hold' && !mayAct(decision, asked, readySinceMs, nowMs)) return true;
  if (readySinceMs !== null && agoMs >= READY_PERIOD_MS) return true;
  if (said !== null && (asked?.startedMs ?? -Infinity) < said.atMs && agoMs >= FRESH_MS) return true;
  if (nowMs >= deadlineMs - LEAD_MS) return agoMs > LEAD_MS;
  return nowMs >= INTERIM_MS && agoMs >= PERIOD_MS;
}
