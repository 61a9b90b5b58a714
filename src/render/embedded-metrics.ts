// The metrics of one boot in CloudWatch's embedded metric format. Says nothing about which event carries them.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
import type { RedactedVerdict, Status } from '../types.ts';

const NAMESPACE = 'EKS/NodeBootstrap';
const DIMENSIONS = [['Cluster'], ['Cluster', 'Cause'], ['Cluster', 'NodePool']];
const METRICS_MAX = 100;
/** CloudWatch allows 1024. */
const DIMENSION_MAX_CHARS = 256;
/** Not Ready at the deadline, but still getting on, is no failure. */
const NO_FAILURE: readonly Status[] = ['ready', 'bootstrapping'];

/** Keys for the root of an event. `atMs`: Unix time in ms. `bootstrapSeconds` null: not measured. */
export function metricsOf(
  { status, cause, node, timeline }: RedactedVerdict,
  atMs: number,
  bootstrapSeconds: number | null,
): Record<string, unknown> {
  const phases = timeline.flatMap(({ phase, state, seconds }): [string, number][] => {
    const hasEnded = state === 'finished' || state === 'failed';
    return hasEnded && seconds !== null ? [[`${pascalCase(phase)}Seconds`, seconds]] : [];
  });
  const seconds = new Map(
    [...(bootstrapSeconds === null ? [] : [['BootstrapSeconds', bootstrapSeconds] as const]), ...phases].slice(
      0,
      METRICS_MAX - 1,
    ),
  );
  return {
    _aws: {
      Timestamp: atMs,
      CloudWatchMetrics: [
        {
          Namespace: NAMESPACE,
          Dimensions: DIMENSIONS,
          Metrics: [
            { Name: 'BootstrapFailure', Unit: 'Count' },
            ...[...seconds.keys()].map((name) => ({ Name: name, Unit: 'Seconds' })),
          ],
        },
      ],
    },
    Cluster: dimension(node.cluster),
    Cause: status === 'ready' ? 'none' : dimension(cause?.id ?? null),
    NodePool: dimension(node.nodePool),
    BootstrapFailure: NO_FAILURE.includes(status) ? 0 : 1,
    ...Object.fromEntries(seconds),
  };
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

function pascalCase(id: string): string {
  return id
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
