// Reads what the analyzer on a node has said so far from the files that it keeps itself.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../../src/types.ts';
import type { TestNode } from './node.ts';
import type { Expected } from './scenario.ts';
import { until } from './until.ts';

const VERDICTS = 'upper/var/log/eks-bootstrap-analyzer/verdicts.jsonl';

/** Oldest first; also of a node that is down. */
export function verdictsOf(node: TestNode): Verdict[] {
  const file = join(node.folder, VERDICTS);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Verdict);
}

/** @throws Error with all that was said instead. */
export async function verdictLike(node: TestNode, expected: Expected, limitMs: number): Promise<Verdict> {
  try {
    return await until(
      describe(expected),
      limitMs,
      () => verdictsOf(node).find((verdict) => isLike(verdict, expected)) ?? null,
    );
  } catch (error) {
    (error as Error).message += `; there were:\n${verdictsOf(node).map(summary).join('\n')}`;
    throw error;
  }
}

function isLike(verdict: Verdict, { status, final, cause, evidence = [] }: Expected): boolean {
  const lines = verdict.evidence.map(({ line }) => line).join('\n');
  return (
    verdict.status === status &&
    (verdict.cause?.id ?? null) === cause &&
    (final === undefined || verdict.final === final) &&
    evidence.every((text) => lines.includes(text))
  );
}

function describe({ status, final, cause, evidence = [] }: Expected): string {
  return `a ${final === true ? 'final ' : ''}verdict ${status} ${cause ?? 'without a cause'}${evidence.length > 0 ? ` with ${JSON.stringify(evidence)}` : ''}`;
}

export function summary({ uptimeSeconds, status, final, cause, evidence, phase, notChecked }: Verdict): string {
  const lines = evidence.map(({ stream, line }) => `    ${stream}: ${line.slice(0, 200)}`);
  return [
    `  ${uptimeSeconds} s: ${status}${final ? ' (final)' : ''} ${cause === null ? 'without a cause' : `${cause.id} ${cause.confidence}`}, phase ${phase.current}`,
    ...lines,
    ...notChecked.map(({ what, code, detail }) => `    not checked: ${what} ${code} ${detail}`),
  ].join('\n');
}
