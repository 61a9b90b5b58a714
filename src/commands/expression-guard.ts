// Keeps the expressions of operators' files from holding up a run: each has a time limit a line and in all, unless it is
// proven quick at its first line.
import { runGuarded } from '../host/processes/run-guarded.ts';
import { slownessOf } from '../signatures/slowness.ts';
import type { ExpressionGuard, Pattern } from '../types.ts';

const LINE_LIMIT_MS = 50;
/** For all lines together; the limit itself costs some 0.1 ms a line. */
const PATTERN_LIMIT_MS = 5_000;

interface State {
  readonly proven: boolean;
  spentMs: number;
}

export function createExpressionGuard(nowMs: () => number): ExpressionGuard {
  const states = new Map<Pattern, State>();
  return {
    run(pattern, work) {
      let state = states.get(pattern);
      if (state === undefined) states.set(pattern, (state = { proven: isProven(pattern), spentMs: 0 }));
      if (state.proven) {
        work();
        return true;
      }
      if (state.spentMs >= PATTERN_LIMIT_MS) return false;
      const startMs = nowMs();
      const ended = runGuarded(work, LINE_LIMIT_MS);
      state.spentMs += nowMs() - startMs;
      return ended;
    },
  };
}

function isProven({ regex, not, unit, ignoreCase }: Pattern): boolean {
  return [regex, ...not].every((expression) => slownessOf(expression, ignoreCase) === null) && (unit === null || slownessOf(unit, false) === null);
}
