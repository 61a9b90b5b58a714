// Keeps the expressions of operators' files from holding up a run: each has a time limit a line and in all. Nothing is
// proven or tried beforehand on a node: a limit at run time holds for every expression and every line.
import { runGuarded } from '../host/processes/run-guarded.ts';
import type { ExpressionGuard, Pattern } from '../types.ts';

const LINE_LIMIT_MS = 50;
/** For all lines together; the limit itself costs some 0.1 ms a line. */
const PATTERN_LIMIT_MS = 5_000;

export function createExpressionGuard(nowMs: () => number): ExpressionGuard {
  const spentMs = new Map<Pattern, number>();
  return {
    run(pattern, work) {
      const spent = spentMs.get(pattern) ?? 0;
      if (spent >= PATTERN_LIMIT_MS) return false;
      const startMs = nowMs();
      const ended = runGuarded(work, LINE_LIMIT_MS);
      spentMs.set(pattern, spent + nowMs() - startMs);
      return ended;
    },
  };
}
