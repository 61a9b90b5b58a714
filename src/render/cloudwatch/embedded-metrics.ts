// The metrics of one event in CloudWatch's embedded metric format: what the event is the first of its boot to say, and on the last
// word how long the boot took. Says nothing about which event counts.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
import type { Counts, RedactedVerdict, Status } from '../../types.ts';
import { secondsToReady } from '../seconds-to-ready.ts';

const NAMESPACE = 'EKS/NodeBootstrap';
/** Where it happened: counts and times. */
const BY_PLACE = [['Cluster'], ['Cluster', 'NodePool']];
/** What it was: counts alone. How long a phase took on nodes that fail by some cause helps nobody and costs money. */
const BY_CAUSE = [['Cluster', 'Cause']];
const METRICS_MAX = 100;
/** CloudWatch allows 1024. */
const DIMENSION_MAX_CHARS = 256;
/** Not Ready at the deadline, but still getting on, is no failure. */
const NO_FAILURE: readonly Status[] = ['ready', 'bootstrapping'];

type Place = Pick<RedactedVerdict['node'], 'cluster' | 'nodePool'>;
type Metrics = ReadonlyMap<string, number>;

/** Keys for the root of the event that says this verdict, none if it counts nothing. `atMs`: Unix time in ms. */
export function metricsOf(verdict: RedactedVerdict, atMs: number, counts: Counts): Record<string, unknown> {
  const { started, seen, ended, recovered, cause } = counts;
  const hasFailed = !NO_FAILURE.includes(verdict.status);
  const whole = new Map(ended ? [['BootstrapFailure', Number(hasFailed)]] : []);
  const ofCause = new Map([
    ...(seen ? [['FailureSeen', 1] as const] : []),
    ...(ended && hasFailed ? [['BootstrapFailure', 1] as const] : []),
    ...(recovered ? [['FailureRecovered', 1] as const] : []),
  ]);
  const seconds = ended || recovered ? timesOf(verdict) : new Map<string, number>();
  const all = new Map([...(started ? [['BootStarted', 1] as const] : []), ...whole, ...ofCause, ...seconds]);
  return embedded(verdict.node, atMs, all, ofCause, cause);
}

/** The same for the event that says that a boot has begun. */
export function startOf(place: Place, atMs: number): Record<string, unknown> {
  return embedded(place, atMs, new Map([['BootStarted', 1]]), new Map(), null);
}

function embedded(
  { cluster, nodePool }: Place,
  atMs: number,
  all: Metrics,
  ofCause: Metrics,
  cause: string | null,
): Record<string, unknown> {
  if (all.size === 0) return {};
  const byPlace = directive(BY_PLACE, [...all.keys()].slice(0, METRICS_MAX));
  return {
    _aws: {
      Timestamp: Math.round(atMs),
      CloudWatchMetrics: ofCause.size === 0 ? [byPlace] : [byPlace, directive(BY_CAUSE, [...ofCause.keys()])],
    },
    Cluster: dimension(cluster),
    NodePool: dimension(nodePool),
    ...(ofCause.size === 0 ? {} : { Cause: dimension(cause) }),
    ...Object.fromEntries([...all].slice(0, METRICS_MAX)),
  };
}

function directive(dimensions: readonly (readonly string[])[], names: readonly string[]): Record<string, unknown> {
  const unitOf = (name: string): string => (name.endsWith('Seconds') ? 'Seconds' : 'Count');
  return {
    Namespace: NAMESPACE,
    Dimensions: dimensions,
    Metrics: names.map((name) => ({ Name: name, Unit: unitOf(name) })),
  };
}

/** Of what went well, to its end. Where one record is a phase's beginning and its end there is no time to tell. */
function timesOf(verdict: RedactedVerdict): Metrics {
  const whole = verdict.status === 'ready' ? secondsToReady(verdict) : null;
  const phases = verdict.timeline.flatMap(({ phase, state, seconds }): [string, number][] =>
    state === 'finished' && seconds !== null && seconds > 0 ? [[phaseMetric(phase), seconds]] : [],
  );
  return new Map([...(whole === null ? [] : [['BootToReadySeconds', whole] as const]), ...phases]);
}

/** The word before it keeps it apart from all that is not a phase's, whatever a phase is called. */
export function phaseMetric(phase: string): string {
  const words = phase.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `Phase${words.join('')}Seconds`;
}

/** Printable ASCII with something to see in it; CloudWatch drops a metric for anything else. */
function dimension(value: string | null): string {
  return (
    (value ?? '')
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .trim()
      .slice(0, DIMENSION_MAX_CHARS) || 'unknown'
  );
}
