// A verdict as one event of CloudWatch Logs: flat keys for queries, metrics in the embedded metric format on the last event of
// a boot, then the rest of the verdict, cut to fit. Delivers nothing.
import type { RedactedVerdict } from '../types.ts';
import { fitVerdict } from './fit-verdict.ts';
import { secondsToReady } from './seconds-to-ready.ts';
import { metricsOf } from './embedded-metrics.ts';

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
  /** The node had been Ready before this boot: a reboot is no bootstrap and is not measured. */
  readonly wasReadyBefore: boolean;
}

const EVENT_MAX_BYTES = 64 * 1024;
/** Left for the two times that the shipper adds where the node's clock is wrong. */
const TIMES_BYTES = 128;
const VALUE_MAX_CHARS = 256;

/** At most 64 KiB of UTF-8. */
export function renderCloudWatchEvent(
  verdict: RedactedVerdict,
  { nowMs, wasReadyBefore }: EventContext,
): CloudWatchEvent {
  const atMs = verdict.at === null ? nowMs : Date.parse(verdict.at);
  const { id, status, final, cause, phase, node, ...others } = verdict;
  const bootstrapSeconds = secondsToReady(verdict);
  const head = {
    id,
    final,
    status,
    causeId: short(cause?.id),
    confidence: cause?.confidence ?? null,
    repair: cause?.repair ?? null,
    phase: short(phase.current ?? phase.reached),
    cluster: short(node.cluster),
    nodePool: short(node.nodePool),
    capacityType: short(node.capacityType),
    instanceId: short(node.instanceId),
    instanceType: short(node.instanceType),
    az: short(node.availabilityZone),
    amiId: short(node.amiId),
    bootstrapSeconds,
    ...(final && !wasReadyBefore ? metricsOf(verdict, atMs, bootstrapSeconds) : {}),
  };
  const limit = EVENT_MAX_BYTES - TIMES_BYTES - Buffer.byteLength(JSON.stringify(head));
  return {
    id,
    atMs,
    final,
    text: JSON.stringify({ ...head, ...fitVerdict({ cause, phase, node, ...others }, limit) }),
  };
}

function short(value: string | null | undefined): string | null {
  return value?.slice(0, VALUE_MAX_CHARS) ?? null;
}
