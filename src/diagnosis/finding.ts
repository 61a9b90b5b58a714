// The shape of a finding: a cause with all that speaks for and against it. Holds no behaviour.
import type { Cause, Confidence, LogRecord, MatchSummary, Signature } from '../types.ts';
import type { Answer } from './answers.ts';
import type { StallHit } from './stalls.ts';

export interface SignatureHit {
  readonly signature: Signature;
  readonly summary: MatchSummary;
  /** The most that it can prove, by who said it. */
  readonly most: Confidence;
}

export interface Finding {
  readonly cause: Cause;
  /** In the order of the cause's file, decisive ones first. */
  readonly hits: readonly SignatureHit[];
  readonly stall: StallHit | null;
  /** What probes say about it. */
  readonly answers: readonly Answer[];
  /** True if an answer proves it without any line. */
  readonly proven: boolean;
  readonly decisive: boolean;
  /** Set where lines of an excerpt leave open whether it holds: then that is how sure it is. */
  readonly possible: Confidence | null;
  /** Null if only a probe saw it. */
  readonly last: LogRecord | null;
  /** On the axis; null if unknown, as with a probe, which cannot tell since when. */
  readonly firstMs: number | null;
  /** On the axis; now, if a probe proves it. */
  readonly lastMs: number | null;
  /** From the first to the last, of what was said once and stays as long as the boot has come to nothing new since; 0 if unknown. What only a probe saw has lasted since the boot got anywhere. */
  readonly lastedMs: number;
  /** Records; 0 if only a probe saw it. */
  readonly count: number;
}
