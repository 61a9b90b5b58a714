// Evidence without the lines that stand beside it, for what has no room for them or must not change with them.

export function withoutContext<T extends { readonly context?: unknown }>(evidence: readonly T[]): Omit<T, 'context'>[] {
  return evidence.map(({ context: _context, ...one }) => one);
}
