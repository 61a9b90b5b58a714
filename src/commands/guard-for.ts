// Loads the guard over expressions only where a pack needs it.
import { patternsOf } from '../matching/matcher.ts';
import type { ExpressionGuard, Pack } from '../types.ts';

/** Null for the built-in pack, whose expressions are measured by its tests. */
export async function guardFor(pack: Pack): Promise<ExpressionGuard | null> {
  if (!patternsOf(pack).some((pattern) => pattern.guarded)) return null;
  const { createExpressionGuard } = await import('./expression-guard.ts');
  return createExpressionGuard(() => performance.now());
}
