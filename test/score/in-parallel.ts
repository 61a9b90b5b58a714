// Runs a task for each item, a few at a time, and keeps the order of the results.

export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  async function work(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await task(item);
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
