// What stays of one capture among many, and what all of them have in common.
import type { Confidence, RedactedVerdict, Status } from '../../types.ts';
import { WITHOUT_CAUSE } from '../headline.ts';

export interface CaptureRow {
  readonly capture: string;
  /** The file that holds its verdict, null if none was written. */
  readonly file: string | null;
  /** Null where it could not be judged; then `problem` says why. */
  readonly status: Status | null;
  readonly cause: { readonly id: string; readonly title: string; readonly confidence: Confidence } | null;
  readonly instanceId: string | null;
  readonly cluster: string | null;
  readonly at: string | null;
  readonly problem: string | null;
}

export interface RollUp {
  readonly statuses: readonly { readonly status: Status | 'not read'; readonly count: number }[];
  /** The most frequent first; captures without a cause are not among them. */
  readonly causes: readonly { readonly id: string; readonly title: string; readonly count: number }[];
}

/** `capture` and a problem are redacted already. */
export function rowOf(capture: string, outcome: RedactedVerdict | string, file: string | null): CaptureRow {
  const nothing = { status: null, cause: null, instanceId: null, cluster: null, at: null };
  if (typeof outcome === 'string') return { capture, file, ...nothing, problem: outcome };
  const { status, cause, node, at } = outcome;
  return {
    capture,
    file,
    status,
    cause: cause === null ? null : { id: cause.id, title: cause.title, confidence: cause.confidence },
    instanceId: node.instanceId,
    cluster: node.cluster,
    at,
    problem: null,
  };
}

/** What a row says beside its status. */
export function wordRow({ status, cause, problem }: CaptureRow): string {
  return cause?.title ?? (status === null ? (problem ?? '') : WITHOUT_CAUSE[status]);
}

const ORDER: readonly RollUp['statuses'][number]['status'][] = [
  'failed',
  'stalled',
  'unknown',
  'bootstrapping',
  'ready',
  'not read',
];

export function rollUp(rows: readonly CaptureRow[]): RollUp {
  const byStatus = Map.groupBy(rows, ({ status }) => status ?? ('not read' as const));
  const withCause = rows.flatMap(({ cause }) => cause ?? []);
  return {
    statuses: ORDER.flatMap((status) => {
      const count = byStatus.get(status)?.length ?? 0;
      return count === 0 ? [] : [{ status, count }];
    }),
    causes: [...Map.groupBy(withCause, ({ id }) => id)]
      .map(([id, same]) => ({ id, title: same[0]!.title, count: same.length }))
      .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)),
  };
}
