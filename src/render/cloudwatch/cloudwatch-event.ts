// A verdict, or that a boot has begun, as one event of CloudWatch Logs: flat keys for queries, metrics in the embedded metric format,
// then the rest of the verdict, cut to fit. Delivers nothing.
import { createHash } from 'node:crypto';
import { withoutContext } from '../../lib/without-context.ts';
import type { Counts, RedactedVerdict } from '../../types.ts';
import { fitVerdict } from '../fit-verdict.ts';
import { secondsToReady } from '../seconds-to-ready.ts';
import { metricsOf, startOf } from './embedded-metrics.ts';

/** Structurally what a sink ships. */
export interface CloudWatchEvent {
  readonly id: string;
  /** Unix time in ms, by the node's clock. */
  readonly atMs: number;
  readonly final: boolean;
  readonly text: string;
}

export interface EventContext {
  /** Unix time in ms: stands for the time of a verdict that has none. */
  readonly nowMs: number;
  /** What this event counts; null: a reboot is no bootstrap and is not measured. */
  readonly counts: Counts | null;
}

const EVENT_MAX_BYTES = 64 * 1024;
/** Left for the two times that the shipper adds where the node's clock is wrong. */
const TIMES_BYTES = 128;
const VALUE_MAX_CHARS = 256;

/** At most 64 KiB of UTF-8. */
export function renderCloudWatchEvent(verdict: RedactedVerdict, { nowMs, counts }: EventContext): CloudWatchEvent {
  const atMs = timeOf(verdict, nowMs);
  const { id, status, final, cause, phase, node, ...rest } = verdict;
  // Nobody asked for lines of other programs to leave the node.
  const others = { ...rest, evidence: withoutContext(rest.evidence) };
  const head = {
    id,
    final,
    status,
    causeId: short(cause?.id),
    confidence: cause?.confidence ?? null,
    repair: cause?.repair ?? null,
    phase: short(phase.current ?? phase.reached),
    ...whereOf(node),
    bootstrapSeconds: secondsToReady(verdict),
    ...(counts === null ? {} : metricsOf(verdict, atMs, counts)),
  };
  const limit = EVENT_MAX_BYTES - TIMES_BYTES - Buffer.byteLength(JSON.stringify(head));
  return {
    id,
    atMs,
    final,
    text: JSON.stringify({ ...head, ...fitVerdict({ cause, phase, node, ...others }, limit) }),
  };
}

/** That a boot of this node has begun, said once: boots of which nothing more is heard are told by it. */
export function renderBootStarted(verdict: RedactedVerdict, nowMs: number): CloudWatchEvent {
  const { node, bootId } = verdict;
  const atMs = timeOf(verdict, nowMs);
  const id = createHash('sha256')
    .update(JSON.stringify(['boot-started', node.instanceId, bootId]))
    .digest('hex')
    .slice(0, 32);
  const text = JSON.stringify({ id, event: 'boot-started', ...whereOf(node), bootId, ...startOf(node, atMs) });
  return { id, atMs, final: false, text };
}

function timeOf({ at }: RedactedVerdict, nowMs: number): number {
  return at === null ? nowMs : Date.parse(at);
}

function whereOf(node: RedactedVerdict['node']): Record<string, string | null> {
  return {
    cluster: short(node.cluster),
    nodePool: short(node.nodePool),
    capacityType: short(node.capacityType),
    instanceId: short(node.instanceId),
    instanceType: short(node.instanceType),
    az: short(node.availabilityZone),
    amiId: short(node.amiId),
  };
}

function short(value: string | null | undefined): string | null {
  return value?.slice(0, VALUE_MAX_CHARS) ?? null;
}
