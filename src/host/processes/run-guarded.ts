// Runs synchronous work under a time limit that also ends an expression in the middle of its search.
import { createContext, Script } from 'node:vm';

const sandbox: { work: () => void } = { work: () => {} };
const script = new Script('work()');
let context: object | null = null;

/** False if the work did not end within the limit; it is cut off then. Errors of the work itself are thrown. Costs about 0.1 ms. */
export function runGuarded(work: () => void, limitMs: number): boolean {
  context ??= createContext(sandbox);
  sandbox.work = work;
  try {
    script.runInContext(context, { timeout: limitMs });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
