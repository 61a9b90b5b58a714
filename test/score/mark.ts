// Marks one verdict against the label of its case. Pure.
import type { Confidence, Pack, Verdict } from '../../src/types.ts';
import { isNone, maySayNothing, type PracticeCase } from './practice-case.ts';

export interface Mark {
  readonly case: PracticeCase;
  readonly right: boolean;
  /** What was said: a cause's id, or the status where none was named. */
  readonly said: string;
  readonly cause: string | null;
  readonly status: string;
  readonly confidence: Confidence | null;
  /** First line of the evidence, with stream and signature. */
  readonly firstEvidence: string | null;
  /** True if that line is a wrapper: its signature belongs to a symptom. */
  readonly wrapped: boolean;
}

export function markVerdict(pack: Pack, given: PracticeCase, verdict: Verdict): Mark {
  const { cause, status, evidence } = verdict;
  const first = evidence[0];
  const owner = first === undefined ? undefined : pack.causes.find(({ id }) => id === first.signature.split('/')[0]);
  return {
    case: given,
    right: isRight(given, verdict),
    said: cause?.id ?? status,
    cause: cause?.id ?? null,
    status,
    confidence: cause?.confidence ?? null,
    firstEvidence: first === undefined ? null : `${first.stream} [${first.signature}] ${first.line}`,
    wrapped: owner?.kind === 'symptom',
  };
}

function isRight(given: PracticeCase, { cause, status }: Verdict): boolean {
  if (cause === null) return maySayNothing(given) && !(isNone(given) && status === 'failed');
  return !isNone(given) && [...given.truth, ...given.acceptable].includes(cause.id);
}

/** A case for which the analyzer gave no verdict at all. */
export function markFailure(given: PracticeCase, why: string): Mark {
  return {
    case: given,
    right: false,
    said: why,
    cause: null,
    status: 'error',
    confidence: null,
    firstEvidence: null,
    wrapped: false,
  };
}
