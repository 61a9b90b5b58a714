// Waits until a unit of a node has said something.
import type { TestNode } from './node.ts';
import { until } from './until.ts';

const LIMIT_MS = 90_000;

/** @throws Error if no entry of the unit holds the text within 90 s. */
export async function journalSays(node: TestNode, unit: string, text: string): Promise<void> {
  await until(`${unit} says "${text}"`, LIMIT_MS, async () => {
    const entries = await node.journal(['-b', '-u', unit]);
    return entries.some(({ MESSAGE }) => MESSAGE?.includes(text));
  });
}
